import type { Measure, ObservationDetail } from '../entry.ts';
import { annotations } from './annotation.ts';
import { codeKey, codings, conceptText, LOINC } from './codeable-concept.ts';
import { at, elements, joined, members, text, type Element } from './element.ts';
import { periodText } from './period.ts';
import { quantity, rangeText, ratioText } from './quantity.ts';

type Value = Pick<Measure, 'value' | 'unit'>;

const NO_VALUE: Value = { value: null, unit: null };
const inWords = (value: string | null): Value => ({ value, unit: null });

/** How each value[x] is read; the first that says something counts when a choice is given twice. */
const CHOICES: [string, (value: unknown) => Value][] = [
  ['valueQuantity', (value) => quantity(value) ?? NO_VALUE],
  ['valueCodeableConcept', (value) => inWords(conceptText(value))],
  ['valueString', (value) => inWords(text(value))],
  ['valueBoolean', (value) => inWords(typeof value === 'boolean' ? (value ? 'yes' : 'no') : text(value))],
  ['valueInteger', (value) => inWords(text(value))],
  ['valueDecimal', (value) => inWords(text(value))],
  ['valueRange', (value) => inWords(rangeText(value))],
  ['valueRatio', (value) => inWords(ratioText(value))],
  ['valueSampledData', (value) => inWords(value === null ? null : 'sampled data')],
  ['valueTime', (value) => inWords(text(value))],
  ['valueDateTime', (value) => inWords(text(value))],
  ['valueDate', (value) => inWords(text(value))],
  ['valuePeriod', (value) => inWords(periodText(value))],
  ['valueUri', (value) => inWords(text(value))],
  ['valueCoding', (value) => inWords(conceptText(value))],
  ['valueReference', (value) => inWords(text(at(value, 'display')))],
  ['valueAttachment', (value) => inWords(text(at(value, 'title')))],
];

/** value[x] of an Observation, a component or an answer. */
export function valueOf(holder: Element): Value {
  for (const [name, read] of CHOICES) {
    if (!(name in holder)) continue;
    const found = read(holder[name]);
    if (found.value !== null) return found;
  }
  return NO_VALUE;
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
  ['as-text', 'told in the narrative'],
  ['error', 'error'],
  ['not-a-number', 'not a number'],
  ['negative-infinity', 'below measurable'],
  ['positive-infinity', 'above measurable'],
  ['not-performed', 'not performed'],
  ['not-permitted', 'not permitted'],
]);
const ABSENT_EXTENSION = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

function absentReason(holder: Element): string | null {
  const told = holder['dataAbsentReason'];
  const known = codings(told).flatMap(({ code }) => ABSENT_REASONS.get(code ?? '') ?? []);
  return known[0] ?? conceptText(told) ?? absentByExtension(holder);
}

/** A value left out with its reason in an extension: beside a primitive (`_valueString`) or inside the element. */
function absentByExtension(holder: Element): string | null {
  for (const [name] of CHOICES) {
    const beside = name.replace('value', '_value');
    const extensions = [
      ...elements(at(holder[beside], 'extension')),
      ...elements(at(holder[name], 'extension')),
    ];
    const code = text(extensions.find(({ url }) => url === ABSENT_EXTENSION)?.['valueCode']);
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

function interpretation(value: unknown): string | null {
  const each = members(value).map((concept) => {
    const [first] = codings(concept);
    const bare = first !== undefined && first.display === null && text(at(concept, 'text')) === null;
    const code = bare ? first.code : text(concept);
    return INTERPRETATIONS.get(code ?? '') ?? conceptText(concept);
  });
  return joined(each, ', ');
}

function referenceRange(value: unknown): string | null {
  const ranges = elements(value).map((range) => {
    const said = text(range['text']) ?? rangeText(range);
    const whose = joined([conceptText(range['type']), conceptText(range['appliesTo'])], ', ');
    return said !== null && whose !== null && !said.includes(whose) ? `${said} (${whose})` : said;
  });
  return joined(ranges, '; ') ?? text(value);
}

function judged(holder: Element): Omit<Measure, 'label' | 'code' | 'absent'> {
  return {
    ...valueOf(holder),
    interpretation: interpretation(holder['interpretation']),
    referenceRange: referenceRange(holder['referenceRange']),
  };
}

function component(holder: Element): Measure {
  const read = judged(holder);
  return {
    label: conceptText(holder['code']) ?? 'Component without a name',
    ...read,
    absent: read.value === null ? (absentReason(holder) ?? 'no value recorded') : null,
    code: codeKey(holder['code'], [LOINC]),
  };
}

export function observationDetail(observation: Element): ObservationDetail {
  const read = judged(observation);
  const written = elements(observation['component']).map(component);
  const isSilent =
    read.value === null && !written.some(({ value, interpretation }) => value ?? interpretation);
  // Parts of which none holds anything say together what one of them says (both pressures of 8 visits in g10-bulk).
  const components = isSilent ? [] : written;
  const reasons = isSilent ? joined([...new Set(written.map(({ absent }) => absent))], ', ') : null;
  const silent = components.length > 0 ? null : (reasons ?? 'no value recorded');
  return {
    ...read,
    absent: read.value === null ? (absentReason(observation) ?? silent) : null,
    components,
    panel: null,
    note: annotations(observation['note']) ?? annotations(observation['comment']),
  };
}

/** "5.40 mmol/L; Verbal: 4; …" in one line. */
export function measureText(detail: ObservationDetail): string | null {
  const one = ({ value, unit, absent }: Value & { absent: string | null }) =>
    joined([value, unit], ' ') ?? absent;
  const parts = detail.components.map((part) => `${part.label}: ${one(part)}`);
  return joined([one(detail), ...parts, detail.interpretation, detail.note], '; ');
}
