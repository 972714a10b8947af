import type { Measure, ObservationDetail } from './observation-detail.ts';
import { formatAnnotations } from './annotation.ts';
import { toCodeKey, parseCodings, formatConcept, formatConcepts, LOINC } from './codeable-concept.ts';
import { computeInterpretation, parseInterpretations, readFlag } from './interpretation.ts';
import { readReference } from './reference-text.ts';
import {
  presentFields,
  getPath,
  toElements,
  joinPresent,
  toArray,
  readText,
  type Element,
} from './element.ts';
import { formatDuration, formatRange, formatRatio, parseQuantity } from './quantity.ts';
import { formatPeriod } from './partial-date.ts';

type Value = Pick<Measure, 'value' | 'unit'>;

/** Said of a value that is missing without a reason. */
export const NO_VALUE = 'no value recorded';

const NOTHING: Value = { value: null, unit: null };
const toTextValue = (value: string | null): Value => ({ value, unit: null });

/** How each value[x] is read; when a choice is given twice the first with a value counts. */
const CHOICES: [string, (value: unknown) => Value][] = [
  ['valueQuantity', (value) => parseQuantity(value) ?? NOTHING],
  ['valueCodeableConcept', (value) => toTextValue(formatConcept(value))],
  ['valueString', (value) => toTextValue(readText(value))],
  [
    'valueBoolean',
    (value) => toTextValue(typeof value === 'boolean' ? (value ? 'yes' : 'no') : readText(value)),
  ],
  ['valueInteger', (value) => toTextValue(readText(value))],
  ['valueDecimal', (value) => toTextValue(readText(value))],
  ['valueRange', (value) => toTextValue(formatRange(value))],
  ['valueRatio', (value) => toTextValue(formatRatio(value))],
  ['valueSampledData', (value) => toTextValue(value === null ? null : 'sampled data')],
  ['valueTime', (value) => toTextValue(readText(value))],
  ['valueDateTime', (value) => toTextValue(readText(value))],
  ['valueDate', (value) => toTextValue(readText(value))],
  ['valuePeriod', (value) => toTextValue(formatPeriod(value))],
  ['valueUri', (value) => toTextValue(readText(value))],
  ['valueCoding', (value) => toTextValue(formatConcept(value))],
  ['valueReference', (value) => toTextValue(readText(getPath(value, 'display')))],
  ['valueAttachment', (value) => toTextValue(readText(getPath(value, 'title')))],
];

/** Reads value[x] of an Observation, a component or an answer. */
export function readValue(holder: Element): Value {
  for (const [name, readChoice] of CHOICES) {
    if (!(name in holder)) continue;
    const found = readChoice(holder[name]);
    if (found.value !== null) return found;
  }
  return NOTHING;
}

/** http://terminology.hl7.org/CodeSystem/data-absent-reason */
const ABSENT_REASONS = new Map([
  ['unknown', 'unknown'],
  ['asked-unknown', 'asked but unknown'],
  ['temp-unknown', 'temporarily unknown'],
  ['not-asked', 'not asked'],
  ['asked-declined', 'asked but declined'],
  ['masked', 'masked'],
  ['not-applicable', 'not applicable'],
  ['unsupported', 'unsupported'],
  ['as-text', 'given in the narrative'],
  ['error', 'error'],
  ['not-a-number', 'not a number'],
  ['negative-infinity', 'below measurable'],
  ['positive-infinity', 'above measurable'],
  ['not-performed', 'not performed'],
  ['not-permitted', 'not permitted'],
]);
/** These state where the value lies. */
export const BEYOND_MEASURE: ReadonlySet<string> = new Set(['below measurable', 'above measurable']);
const ABSENT_EXTENSION = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** Finds why there is no value: in the author's words, which say more than a code ("Specimen hemolyzed" beside `error`). */
function findAbsentReason(holder: Element): string | null {
  const reason = holder['dataAbsentReason'];
  const [known] = parseCodings(reason).flatMap(({ code }) => ABSENT_REASONS.get(code ?? '') ?? []);
  const words = readText(getPath(reason, 'text'));
  if (known === undefined) return words ?? formatConcept(reason) ?? findAbsentExtension(holder);
  if (words === null || words.toLowerCase() === known) return known;
  return BEYOND_MEASURE.has(known) ? `${known} (${words})` : words;
}

/** Finds the reason for a missing value in an extension: beside a primitive (`_valueString`) or inside the element. */
function findAbsentExtension(holder: Element): string | null {
  for (const [name] of CHOICES) {
    const sibling = name.replace('value', '_value');
    const extensions = [
      ...toElements(getPath(holder[sibling], 'extension')),
      ...toElements(getPath(holder[name], 'extension')),
    ];
    const code = readText(extensions.find(({ url }) => url === ABSENT_EXTENSION)?.['valueCode']);
    if (code !== null) return ABSENT_REASONS.get(code) ?? code;
  }
  return null;
}

/** v3-ObservationInterpretation codes that come without a display. */
const INTERPRETATIONS = new Map([
  ['H', 'High'],
  ['HH', 'Critical high'],
  ['HU', 'Significantly high'],
  ['L', 'Low'],
  ['LL', 'Critical low'],
  ['LU', 'Significantly low'],
  ['N', 'Normal'],
  ['A', 'Abnormal'],
  ['AA', 'Critical abnormal'],
  ['POS', 'Positive'],
  ['NEG', 'Negative'],
  ['IND', 'Indeterminate'],
  ['DET', 'Detected'],
  ['ND', 'Not detected'],
  ['S', 'Susceptible'],
  ['R', 'Resistant'],
  ['I', 'Intermediate'],
]);

function formatInterpretation(value: unknown): string | null {
  return joinPresent(
    toArray(value).map((concept) => nameInterpretation(concept) ?? formatConcept(concept)),
    ', ',
  );
}

/** Names a flag that is a code alone; null of what has words of its own. */
function nameInterpretation(concept: unknown): string | null {
  const codings = parseInterpretations(concept);
  if (readText(getPath(concept, 'text')) !== null || codings.some(({ display }) => display !== null))
    return null;
  const codes = [readText(concept), ...codings.map(({ code }) => code)];
  return codes.flatMap((code) => INTERPRETATIONS.get(code ?? '') ?? [])[0] ?? null;
}

/** Returns the text of a range ("3-8"); words alone ("adults") are put behind its numbers: they say whom these are for. */
function formatRangeWords(range: Element): string | null {
  const text = readText(range['text']);
  const hasNumbers = range['low'] !== undefined || range['high'] !== undefined;
  if (text === null || (hasNumbers && !/\d/.test(text)))
    return joinPresent([formatRange(range), text === null ? null : `(${text})`], ' ');
  return text;
}

function formatReferenceRange(value: unknown): string | null {
  const ranges = toElements(value).map((range) => {
    const rangeWords = formatRangeWords(range);
    const appliesTo = joinPresent(
      [formatConcept(range['type']), formatConcept(range['appliesTo']), formatAgeRange(range['age'])],
      ', ',
    );
    return rangeWords !== null && appliesTo !== null && !rangeWords.includes(appliesTo)
      ? `${rangeWords} (${appliesTo})`
      : rangeWords;
  });
  return joinPresent(ranges, '; ') ?? readText(value);
}

/** "age 0 to 12 years", "age from 18 years": whom a range is for. */
function formatAgeRange(age: unknown): string | null {
  const [low, high] = [getPath(age, 'low'), getPath(age, 'high')];
  const [from, to] = [formatDuration(low), formatDuration(high)];
  if (from === null || to === null) return from === null ? to && `age up to ${to}` : `age from ${from}`;
  const isOneUnit = parseQuantity(low)?.unit === parseQuantity(high)?.unit;
  return `age ${isOneUnit ? parseQuantity(low)?.value : from} to ${to}`;
}

function readResult(holder: Element): Omit<Measure, 'label' | 'code' | 'absent'> {
  const measured = readValue(holder);
  const flag = readFlag(holder['interpretation']);
  const computed = computeInterpretation(measured, holder['referenceRange'], flag);
  return {
    ...measured,
    interpretation: formatInterpretation(holder['interpretation']),
    referenceRange: formatReferenceRange(holder['referenceRange']),
    ...(flag !== null && { flag }),
    ...(computed !== null && { computed }),
  };
}

function readComponent(holder: Element): Measure {
  const result = readResult(holder);
  return {
    label: formatConcept(holder['code']) ?? formatAnnotations(holder['note']) ?? 'Component without a name',
    ...result,
    absent: result.value === null ? (findAbsentReason(holder) ?? NO_VALUE) : null,
    code: toCodeKey(holder['code'], [LOINC]),
  };
}

export function buildObservationDetail(observation: Element): ObservationDetail {
  const result = readResult(observation);
  const written = toElements(observation['component']).map(readComponent);
  const isEmpty =
    result.value === null && !written.some(({ value, interpretation }) => value ?? interpretation);
  // Of components without any value the reason is shown once (both pressures of 8 visits in g10-bulk).
  const components = isEmpty ? [] : written;
  const listed = toElements(observation['hasMember']);
  const members = listed.flatMap((each) => readReference(each) ?? []);
  const reasons = isEmpty ? joinPresent([...new Set(written.map(({ absent }) => absent))], ', ') : null;
  // The members of a panel, or of an organism, are its results: it lacks none.
  const emptyReason = components.length > 0 || listed.length > 0 ? null : (reasons ?? NO_VALUE);
  return {
    ...result,
    absent: result.value === null ? (findAbsentReason(observation) ?? emptyReason) : null,
    components,
    panel: null,
    note: formatNote(observation),
    ...(listed.length > 0 && { members }),
    ...presentFields({
      bodySite: joinPresent(formatConcepts(observation['bodySite']), ', '),
      method: formatConcept(observation['method']),
      position: findPosition(observation['extension']),
    }),
  };
}

/** `comment` is of STU3, `comments` of DSTU2. */
const formatNote = ({ note, comment, comments }: Element): string | null =>
  formatAnnotations(note) ?? formatAnnotations(comment) ?? formatAnnotations(comments);

/** FHIR's `observation-bodyPosition`, and `BodyPositionExt` of the guide for vital signs. */
const POSITION_EXTENSION = /body-?position(?:ext)?$/i;

const findPosition = (extensions: unknown): string | null =>
  formatConcept(
    toElements(extensions).find(({ url }) => POSITION_EXTENSION.test(readText(url) ?? ''))?.[
      'valueCodeableConcept'
    ],
  );

/** Formats a result in one line: "5.40 mmol/L; Verbal: 4; …". */
export function formatMeasure(detail: ObservationDetail): string | null {
  const formatValue = ({ value, unit, absent }: Value & { absent: string | null }) =>
    joinPresent([value, unit], ' ') ?? absent;
  const parts = detail.components.map((part) => `${part.label}: ${formatValue(part)}`);
  return joinPresent([formatValue(detail), ...parts, detail.interpretation, detail.note], '; ');
}
