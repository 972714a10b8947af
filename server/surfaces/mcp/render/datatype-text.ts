import {
  normalizeCodeSystem,
  parseCodings,
  SYSTEM_NAMES,
} from '../../../clinical/entries/codeable-concept.ts';
import {
  joinPresent,
  readText,
  readTexts,
  toElement,
  toElements,
} from '../../../clinical/entries/element.ts';
import { readNarrative } from '../../../clinical/entries/narrative.ts';
import { formatPeriod } from '../../../clinical/entries/partial-date.ts';
import { formatRange, formatRatio } from '../../../clinical/entries/quantity.ts';

type Element = Readonly<Record<string, unknown>>;

/** Renders a reference; the names of other resources depend on the consent. */
export type RenderReference = (reference: Element) => string;

interface Datatype {
  /**
   * Every element of the type, and whether it is a primitive one. An element with any other, or with a concept where the type has
   * a code, is something else, and is listed field by field.
   */
  elements: ReadonlyMap<string, boolean>;
  matches(element: Element): boolean;
  format(element: Element, renderReference: RenderReference): string | null;
}

/** Of the elements those with an asterisk are no primitive ones. */
const define = (elements: string, matches: Datatype['matches'], format: Datatype['format']): Datatype => ({
  elements: new Map(
    [...elements.split(' '), 'id', 'extension*'].map((name) => [name.replace('*', ''), !name.endsWith('*')]),
  ),
  matches,
  format,
});

const hasText =
  (...names: string[]) =>
  (element: Element): boolean =>
    names.some((name) => readText(element[name]) !== null);
const has =
  (...names: string[]) =>
  (element: Element): boolean =>
    names.some((name) => name in element);

/** FHIR's data types, distinguished by their elements; the first that fits. */
const DATATYPES: readonly Datatype[] = [
  define('reference type identifier* display', hasText('reference', 'display'), formatReference),
  define('coding* text', has('coding'), formatCodings),
  define('system version code display userSelected', hasText('code', 'display'), (element) =>
    formatCodings({ coding: [element] }),
  ),
  define('value comparator unit system code', (element) => isQuantity(element), formatQuantity),
  define('use type* system value period* assigner* rank', hasText('value'), formatIdentified),
  define('numerator* denominator*', has('numerator', 'denominator'), formatRatio),
  define('low* high*', has('low', 'high'), formatRange),
  define('start end', hasText('start', 'end'), formatPeriod),
  define(
    'contentType language data url size hash title creation',
    hasText('contentType', 'data', 'title'),
    formatAttachment,
  ),
  define('use text family given prefix suffix period*', has('family', 'given'), formatName),
  define(
    'use type text line city district state postalCode country period*',
    has('line', 'city', 'postalCode'),
    formatAddress,
  ),
  define('text time authorString authorReference*', hasText('text'), formatAnnotation),
  define('status div', hasText('div'), (element) => readNarrative({ text: element }) ?? ''),
];

const isQuantity = (element: Element): boolean =>
  readText(element['value']) !== null &&
  (hasText('unit', 'code', 'comparator')(element) || !('system' in element));

const isPrimitive = (value: unknown): boolean => typeof value === 'boolean' || readText(value) !== null;

/** Formats an element that is one of FHIR's data types, with every code in it; null for any other element. */
export function formatDatatype(element: Element, renderReference: RenderReference): string | null {
  const names = Object.keys(element);
  const type = DATATYPES.find(
    ({ elements, matches }) =>
      names.every(
        (name) => elements.get(name) === false || (elements.has(name) && isPrimitive(element[name])),
      ) && matches(element),
  );
  return type?.format(element, renderReference) ?? null;
}

/** "Aria Moss (Practitioner/6d6e1f3a), 1234567893 (hl7.org/fhir/sid/us-npi)" */
function formatReference(element: Element, renderReference: RenderReference): string {
  const name = renderReference(element);
  const identifier = toElement(element['identifier']);
  return name === '' || identifier === null
    ? name
    : `${name}, ${formatIdentified(identifier, renderReference)}`;
}

/** An identifier or a way to reach somebody: "MRN-17 (Medical record number, hospital.example)", "+1 555 0100 (phone, home)". */
function formatIdentified(element: Element, renderReference: RenderReference): string {
  const value = readText(element['value']) ?? '';
  const rank = readText(element['rank']);
  const assigner = toElement(element['assigner']);
  const from = assigner && formatReference(assigner, renderReference);
  const notes = [
    toElement(element['type']) === null ? null : formatCodings(toElement(element['type']) ?? {}),
    nameSystem(readText(element['system'])),
    readText(element['use']),
    rank && `rank ${rank}`,
    from && `from ${from}`,
  ];
  const note = joinPresent(notes, ', ');
  return joinPresent([value, note && `(${note})`, formatWhen(element['period'])], ' ') ?? value;
}

/** "Essential hypertension [SNOMED CT 38341003 “Essential hypertension (disorder)”; ICD-10-CM I10 (version 2025)]" */
function formatCodings(concept: Element): string {
  const codings = toElements(concept['coding']).map(formatCoding).filter(Boolean);
  const listed = codings.length === 0 ? null : `[${codings.join('; ')}]`;
  return joinPresent([readText(concept['text']), listed], ' ') ?? '';
}

function formatCoding(element: Element): string | null {
  const [coding] = parseCodings(element);
  const version = readText(element['version']);
  const note = joinPresent(
    [version && `version ${version}`, coding?.userSelected === true ? 'chosen by the user' : null],
    ', ',
  );
  return joinPresent(
    [
      nameSystem(normalizeCodeSystem(element['system'])),
      coding?.code,
      coding?.display && `“${coding.display}”`,
      note && `(${note})`,
    ],
    ' ',
  );
}

/** The last words of a system's address, which most people know it by. */
const nameSystem = (system: string | null): string | null =>
  system === null ? null : (SYSTEM_NAMES.get(system) ?? system.replace(/^https?:\/\/(?:www\.)?/, ''));

/** "5.40 mmol/L", and the code where it is not the unit's name. */
function formatQuantity(element: Element): string {
  const value = readText(element['value']) ?? '';
  const unit = readText(element['unit']);
  const code = readText(element['code']);
  const number =
    joinPresent([`${readText(element['comparator']) ?? ''}${value}`, unit ?? code], ' ') ?? value;
  return unit !== null && code !== null && unit !== code ? `${number} [${code}]` : number;
}

function formatAttachment(element: Element): string {
  const data = readText(element['data']);
  const size = readText(element['size']);
  return (
    joinPresent(
      [
        readText(element['title']),
        readText(element['contentType']),
        readText(element['language']),
        readText(element['creation']),
        size === null ? null : `${size} bytes`,
        data === null ? null : `content of ${Math.floor((data.length * 3) / 4)} bytes`,
        readText(element['url']),
      ],
      ', ',
    ) ?? 'no content'
  );
}

function formatName(element: Element): string {
  const parts = ['prefix', 'given', 'family', 'suffix'].flatMap((name) => readTexts(element[name]));
  const text = readText(element['text']);
  const isWhole = text !== null && parts.every((part) => text.includes(part));
  // "Roel (Roelof Olaf Bor)": what the person is called, and their name.
  const name =
    text === null || parts.length === 0 || isWhole
      ? (text ?? parts.join(' '))
      : `${text} (${parts.join(' ')})`;
  return joinPresent([name, noted(element, ['use']), formatWhen(element['period'])], ' ') ?? '';
}

function formatAddress(element: Element): string {
  const parts = [
    ...readTexts(element['line']),
    ...['city', 'district', 'state', 'postalCode', 'country'].map((name) => readText(element[name])),
  ];
  const address = joinPresent(parts, ', ') ?? readText(element['text']);
  return joinPresent([address, noted(element, ['use', 'type']), formatWhen(element['period'])], ' ') ?? '';
}

function formatAnnotation(element: Element, renderReference: RenderReference): string {
  const author = toElement(element['authorReference']);
  const by = readText(element['authorString']) ?? (author && renderReference(author));
  return joinPresent([readText(element['text']), by && `by ${by}`, readText(element['time'])], ', ') ?? '';
}

const formatWhen = (period: unknown): string | null => {
  const text = formatPeriod(period);
  return text === null ? null : `(${text})`;
};

/** "(phone, home)" */
function noted(element: Element, names: readonly string[]): string | null {
  const notes = names.flatMap((name) => readText(element[name]) ?? []);
  return notes.length === 0 ? null : `(${notes.join(', ')})`;
}
