import { toCodings } from '../concepts.ts';
import { getChild } from '../elements.ts';
import { listNarrativeLines, renderNarrative } from '../render-narrative.ts';
import { isRawNumber } from '../fhir-values.ts';
import type { PositionedResource } from '../resource-list.ts';
import type { Context, Section } from '../section.ts';
import { addNote } from './add-note.ts';
import { hasClinicalContent } from './has-clinical-content.ts';
import { collectStatements } from './statements.ts';
import { findUnstatedLines } from './unstated-lines.ts';

/** Adds the narrative of a section as a note, unless it only says that there is no information. */
export function addSectionNote(section: Section, context: Context): void {
  const narrative = getChild(section.element, 'text');
  if (!hasClinicalContent(renderNarrative(narrative, { headings: false }))) return;
  addNarrative(section, context, renderNarrative(narrative));
}

/**
 * Adds what the narrative says and the resources of its entries do not: it is what the author signed (C-CDA R2.1 §2.5), and
 * a list of three findings may stand beside an entry for one. What they say is left out, so that no tool says it twice.
 */
export function addUnstatedNote(
  section: Section,
  context: Context,
  resources: readonly PositionedResource[],
): void {
  const narrative = listNarrativeLines(getChild(section.element, 'text'));
  const people = context.resources.items.filter(({ resource }) => PEOPLE.has(resource.resourceType));
  const statements = collectStatements([
    [section.title ?? ''],
    ...[...people, ...resources].map(({ resource }) => listTexts(resource)),
  ]);
  const text = findUnstatedLines(narrative, statements).join('\n');
  if (hasClinicalContent(text)) addNarrative(section, context, text);
}

/** Who did something and where; each is made once, at its first place in the document. */
const PEOPLE = new Set(['Practitioner', 'Organization', 'Location']);

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (isRawNumber(value)) return [value.rawJSON];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'data' && typeof member === 'string'
      ? [Buffer.from(member, 'base64').toString()]
      : listTexts(member),
  );
}

function addNarrative(section: Section, context: Context, text: string): void {
  addNote(context, section.position, {
    text,
    title: section.title,
    type: { coding: toCodings(getChild(section.element, 'code')), text: section.title },
    author: context.people.findAuthor(section.element)?.who,
  });
}
