import { parseCodings, SYSTEM_NAMES } from '../../../clinical/entries/codeable-concept.ts';
import { getPath, joinPresent, readText, readTexts, toElement } from '../../../clinical/entries/element.ts';
import { readNarrative } from '../../../clinical/entries/narrative.ts';
import { formatPeriod } from '../../../clinical/entries/partial-date.ts';
import { formatRange, formatRatio } from '../../../clinical/entries/quantity.ts';

type Element = Readonly<Record<string, unknown>>;

/** Renders a reference; the names of other resources depend on the consent. */
export type RenderReference = (reference: Element) => string;

interface Datatype {
  /** Every element of the type; an element with any other is something else, and is listed field by field. */
  elements: ReadonlySet<string>;
  matches(element: Element): boolean;
  format(element: Element, renderReference: RenderReference): string | null;
}

const define = (elements: string, matches: Datatype['matches'], format: Datatype['format']): Datatype => ({
  elements: new Set([...elements.split(' '), 'id', 'extension']),
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
  define('reference type identifier display', hasText('reference', 'display'), (element, renderReference) =>
    renderReference(element),
  ),
  define('coding text', has('coding'), formatCodings),
  define('system version code display userSelected', hasText('code', 'display'), (element) =>
    formatCodings({ coding: [element] }),
  ),
  define('value comparator unit system code', (element) => isQuantity(element), formatQuantity),
  define('use type system value period assigner rank', hasText('value'), formatIdentified),
  define('numerator denominator', has('numerator', 'denominator'), formatRatio),
  define('low high', has('low', 'high'), formatRange),
  define('start end', hasText('start', 'end'), formatPeriod),
  define(
    'contentType language data url size hash title creation',
    hasText('contentType', 'data', 'title'),
    formatAttachment,
  ),
  define('use text family given prefix suffix period', has('family', 'given'), formatName),
  define(
    'use type text line city district state postalCode country period',
    has('line', 'city', 'postalCode'),
    formatAddress,
  ),
  define('text time authorString authorReference', hasText('text'), formatAnnotation),
  define('status div', hasText('div'), (element) => readNarrative({ text: element }) ?? ''),
];

const isQuantity = (element: Element): boolean =>
  readText(element['value']) !== null &&
  (hasText('unit', 'code', 'comparator')(element) || !('system' in element));

/** Formats an element that is one of FHIR's data types, with every code in it; null for any other element. */
export function formatDatatype(element: Element, renderReference: RenderReference): string | null {
  const names = Object.keys(element);
  const type = DATATYPES.find(
    ({ elements, matches }) => names.every((name) => elements.has(name)) && matches(element),
  );
  return type?.format(element, renderReference) ?? null;
}

/** An identifier or a way to reach somebody: "MRN-17 (Medical record number, hospital.example)", "+1 555 0100 (phone, home)". */
function formatIdentified(element: Element): string {
  const value = readText(element['value']) ?? '';
  const assigner = readText(getPath(element, 'assigner', 'display'));
  const notes = [
    toElement(element['type']) === null ? null : formatCodings(toElement(element['type']) ?? {}),
    nameSystem(readText(element['system'])),
    readText(element['use']),
    assigner && `from ${assigner}`,
  ];
  const note = joinPresent(notes, ', ');
  return joinPresent([value, note && `(${note})`, formatWhen(element['period'])], ' ') ?? value;
}

/** "Essential hypertension [SNOMED CT 38341003 “Essential hypertension (disorder)”; ICD-10-CM I10]" */
function formatCodings(concept: Element): string {
  const codings = parseCodings(concept).map(({ system, code, display }) =>
    joinPresent([nameSystem(system), code, display === null ? null : `“${display}”`], ' '),
  );
  const listed = codings.length === 0 ? null : `[${codings.filter(Boolean).join('; ')}]`;
  return joinPresent([readText(concept['text']), listed], ' ') ?? '';
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
