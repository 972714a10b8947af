import type { Element } from 'slimdom';
import { decodeEmbedded } from '../notes/embedded-data.ts';
import { getAttribute, getChild, getText } from '../elements.ts';
import { isRawNumber, type CodeableConcept, type FhirObject, type FhirValue } from '../fhir-values.ts';
import { parseTs } from '../times.ts';

/** Names of the parts of a value; what is not here is called as CDA calls it. */
const PART_NAMES = new Map([
  ['period', 'every'],
  ['low', 'from'],
  ['high', 'to'],
  ['event', ''],
  ['comp', ''],
  ['translation', ''],
  ['originalText', ''],
]);
/** v3 TimingEvent. */
const EVENTS = new Map([
  ['AC', 'before meals'],
  ['ACD', 'before lunch'],
  ['ACM', 'before breakfast'],
  ['ACV', 'before dinner'],
  ['C', 'with meals'],
  ['CD', 'with lunch'],
  ['CM', 'with breakfast'],
  ['CV', 'with dinner'],
  ['HS', 'at bedtime'],
  ['IC', 'between meals'],
  ['PC', 'after meals'],
  ['PCD', 'after lunch'],
  ['PCM', 'after breakfast'],
  ['PCV', 'after dinner'],
  ['WAKE', 'on waking'],
]);

/**
 * Formats a value that FHIR has no type for by all that it holds: an address, an identifier, a timing ("every 8 h"), an
 * interval by its width. Undefined where it holds nothing.
 */
export function formatParts(value: Element): string | undefined {
  if (getAttribute(value, 'representation') === 'B64') return formatEmbedded(value);
  const parts = value.children.flatMap((child) => {
    const text = formatParts(child);
    const name = PART_NAMES.get(child.localName) ?? splitWords(child.localName);
    return text === undefined ? [] : [isNamePart(value) ? text : `${name} ${text}`.trim()];
  });
  const own = value.children.length === 0 ? getText(value) : undefined;
  const texts = [...formatAttributes(value), ...(own === undefined ? [] : [own]), ...parts];
  return texts.join(isNamePart(value) ? ' ' : ', ') || undefined;
}

/** The parts of a name or an address say what they are. */
const isNamePart = (value: Element): boolean =>
  ['given', 'family', 'streetAddressLine', 'city', 'state', 'postalCode', 'country'].some(
    (part) => getChild(value, part) !== undefined,
  );

const splitWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function formatAttributes(value: Element): string[] {
  // A reference into the narrative that leads nowhere is no value.
  const amount = getAttribute(value, 'value')?.replace(/^#.*$/, '');
  const unit = getAttribute(value, 'unit');
  const currency = getAttribute(value, 'currency');
  const time = /^\d{8}/.test(amount ?? '') && unit === undefined ? parseTs(amount) : undefined;
  const code = getAttribute(value, 'code');
  const identifier = [getAttribute(value, 'extension'), getAttribute(value, 'root')].filter(Boolean);
  const number = amount && [
    time?.original ?? time?.value ?? amount,
    unit === '1' ? undefined : unit,
    currency,
  ];
  return [
    number && number.filter(Boolean).join(' '),
    getAttribute(value, 'displayName') ?? EVENTS.get(code ?? '') ?? code,
    identifier.join(' of '),
    getAttribute(value, 'digits'),
  ].filter((each): each is string => each !== undefined && each !== '');
}

/** Returns the words of embedded plain text; of other files the kind: they stay in the document. */
function formatEmbedded(value: Element): string | undefined {
  const mediaType = getAttribute(value, 'mediaType') ?? 'text/plain';
  if (mediaType !== 'text/plain') return `A file (${mediaType}) inside of the document, which is not read`;
  try {
    return decodeEmbedded(value)?.toString('utf8').replace(/\s+/g, ' ').trim().toWellFormed() || undefined;
  } catch {
    return 'Text in packed form that cannot be unpacked';
  }
}

/** Formats what `buildValue` made in one line: "5.10 mmol/L", "1:64", "2013-03-11 to 2013-03-12". */
export function formatBuiltValue(built: FhirObject): string | undefined {
  const [name, value] = Object.entries(built).find(([each]) => each.startsWith('value')) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const held = value as FhirObject;
  if (name === 'valueCodeableConcept') return formatConcept(held);
  if (name === 'valueQuantity') return formatQuantity(held);
  if (name === 'valueRange') return formatEnds(formatQuantity(held['low']), formatQuantity(held['high']));
  if (name === 'valuePeriod') return formatEnds(held['start'] as string, held['end'] as string);
  if (name === 'valueRatio')
    return `${formatQuantity(held['numerator']) ?? ''}:${formatQuantity(held['denominator']) ?? ''}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isRawNumber(value) ? value.rawJSON : typeof value === 'string' ? value : undefined;
}

const formatConcept = ({ coding = [], text }: CodeableConcept): string | undefined =>
  text ?? coding[0]?.display ?? coding[0]?.code;

const formatEnds = (low: string | undefined, high: string | undefined): string =>
  [low && (high ? low : `from ${low}`), high && `to ${high}`].filter(Boolean).join(' ');

function formatQuantity(quantity: FhirValue | undefined): string | undefined {
  const { value, comparator, unit } = (quantity ?? {}) as FhirObject;
  if (!isRawNumber(value)) return undefined;
  const bound = typeof comparator === 'string' ? comparator : '';
  return `${bound}${value.rawJSON}${typeof unit === 'string' ? ` ${unit}` : ''}`;
}
