import { FROM_START, type ReadFrom } from '../../../clinical/queries/details.sql.ts';
import { countCharacters, cutText, type TextPart } from './cut-text.ts';
import { escapeInline, fenced } from './escape-markdown.ts';
import { formatNumber, pluralize } from './format-number.ts';
import type { Block } from './markdown.ts';
import type { Field } from './resource-text.ts';

/** What is read, by its short reference with the number of its row, and from where on. */
export interface Place {
  mark: string;
  from: ReadFrom;
}

/** "Observation/6d6e1f3a from 40000", "Condition/6d6e1f3a (12) from entry 5" */
export function formatPlace({ mark, from: { character, field, entry } }: Place): string {
  const words = [
    ...(character > 0 ? [character] : []),
    ...(field > 1 ? ['field', field] : []),
    ...(entry > 1 ? ['entry', entry] : []),
  ];
  return words.length === 0 ? mark : `${mark} from ${words.join(' ')}`;
}

/** "ask for `Observation/6d6e1f3a from 40000`": how a caller goes on where an answer is cut. */
export const renderAskFor = ({ mark }: Pick<Place, 'mark'>, from: Partial<ReadFrom>): string =>
  `ask for \`${formatPlace({ mark, from: { ...FROM_START, ...from } })}\``;

/** "(31,000 further characters: ask for …)"; null where nothing follows. */
const renderFurther = ({ end, rest }: Pick<TextPart, 'end' | 'rest'>, place: Place): string | null =>
  rest === 0
    ? null
    : `(${formatNumber(rest)} further characters: ${renderAskFor(place, { character: end })})`;

const isLonger = (value: string, { character }: ReadFrom): boolean =>
  character === 0 || countCharacters(value) > character;

/**
 * Renders fields, a line each, as many as are wanted; of what is read from a character on those that are longer, each from
 * there.
 */
export function renderFields(
  fields: readonly Field[],
  place: Place,
  limits: { valueLength: number; fields: number },
): string | null {
  const { from } = place;
  const remaining = fields.map((field, index) => ({ ...field, number: index + 1 })).slice(from.field - 1);
  const wanted = remaining.filter(({ value }) => isLonger(value, from));
  const next = wanted[limits.fields];
  const shorter = remaining.length - wanted.length;
  const lines = [
    ...wanted.slice(0, limits.fields).map((field) => renderField(field, place, limits.valueLength)),
    next &&
      `- … ${pluralize(wanted.length - limits.fields, 'further field')}: ${renderAskFor(place, { ...from, field: next.number })}`,
    shorter > 0 &&
      `- ${pluralize(shorter, 'field')} of no more than ${formatNumber(from.character)} characters left out`,
  ];
  return lines.filter(Boolean).join('\n') || null;
}

function renderField({ name, value }: Field, place: Place, length: number): string {
  const part = cutText(value, length, place.from.character);
  const further = renderFurther(part, place);
  const text = `${place.from.character > 0 ? '… ' : ''}${escapeInline(part.text, Infinity)}`;
  return `- ${escapeInline(name, 200)}: ${text}${further === null ? '' : `… ${further}`}`;
}

/** A text, or of a longer one what was read of the store from the place on. */
export interface DocumentText {
  text: string;
  /** Characters of the whole where `text` begins at the place; null where it is the whole. */
  length: number | null;
}

/** Renders so many characters of a text between fences, from its place on. */
export function renderText({ text, length }: DocumentText, place: Place, most: number): Block {
  const { character } = place.from;
  const part = length === null ? cutText(text, most, character) : cutText(text, most);
  if (part.text === '') return null;
  const end = length === null ? part.end : character + part.end;
  const rest = length === null ? part.rest : length - end;
  return [fenced(part.text), renderFurther({ end, rest }, place)];
}
