import type { Element } from 'slimdom';
import { selectAll, getAttribute, getChild, getNullFlavor } from '../elements.ts';
import { toRawNumber, type FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { buildAbsentConcept } from '../null-flavors.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { buildConcept } from './entry-relationships.ts';
import {
  getInherited,
  isEmpty,
  isExcluded,
  buildResultValue,
  buildObservation,
  getObservationCode,
  toObservationStatus,
  type InheritedValues,
} from './observations.ts';
import { getCodes } from './named-concepts.ts';

/** Converts vital signs: an Observation each, except that the two pressures of one moment are one blood pressure. */
export const vitals: SectionKind = {
  name: 'vitals',
  codes: ['8716-3'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.4',
    '2.16.840.1.113883.10.20.22.2.4.1',
    '2.16.840.1.113883.10.20.1.16',
  ],
  convert: convertVitals,
};

const LOINC = 'http://loinc.org';
const SYSTOLIC = ['8480-6', '271649006'];
const DIASTOLIC = ['8462-4', '271650006'];

function convertVitals({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const isOrganizer = statement.localName === 'organizer';
  if (!isOrganizer && statement.localName !== 'observation') return 'no_form';
  const inherited = getInherited(isOrganizer ? statement : undefined, context);
  const observed = isOrganizer ? selectAll(statement, 'component/observation') : [statement];
  const included = observed.filter(
    (one) => !isEmpty(one, context.narrative) && !isExcluded(one, context.narrative),
  );
  if (included.length === 0) return observed.length === 0 ? 'no_content' : 'null_flavored';
  for (const vital of pairPressures(included)) {
    const content =
      'single' in vital
        ? buildVital(vital.single, inherited, context)
        : buildBloodPressure(vital, inherited, context);
    context.resources.add('Observation', position, {
      ...content,
      category: [buildConcept('observation-category', 'vital-signs')],
    });
  }
  return null;
}

interface Pressure {
  systolic: Element | undefined;
  diastolic: Element | undefined;
}

/** Pairs pressures in the order of the document: the n-th systolic pressure of a moment with its n-th diastolic one. */
function pairPressures(observed: readonly Element[]): ({ single: Element } | Pressure)[] {
  const waiting = new Map<string, Pressure[]>();
  const found: ({ single: Element } | Pressure)[] = [];
  for (const observation of observed) {
    const part = getPressurePart(observation);
    if (part === undefined) {
      found.push({ single: observation });
      continue;
    }
    // A pressure that was entered in error is none of the other's.
    const moment = `${getAttribute(getChild(observation, 'effectiveTime'), 'value') ?? ''} ${toObservationStatus(observation)}`;
    const half = waiting.get(`${part} ${moment}`)?.shift();
    if (half !== undefined) {
      half[part] = observation;
      continue;
    }
    const pressure: Pressure = { systolic: undefined, diastolic: undefined, [part]: observation };
    found.push(pressure);
    const missing = `${part === 'systolic' ? 'diastolic' : 'systolic'} ${moment}`;
    const queue = waiting.get(missing) ?? [];
    queue.push(pressure);
    waiting.set(missing, queue);
  }
  return found;
}

function getPressurePart(observation: Element): keyof Pressure | undefined {
  const codes = getCodes(getChild(observation, 'code'));
  if (codes.some((code) => SYSTOLIC.includes(code))) return 'systolic';
  return codes.some((code) => DIASTOLIC.includes(code)) ? 'diastolic' : undefined;
}

function buildVital(observation: Element, inherited: InheritedValues, context: Context): FhirObject {
  const code = getObservationCode(observation, context.narrative) ?? { text: 'Vital sign without a name' };
  return buildObservation(observation, { code, inherited }, context);
}

/** Builds a US Core Blood Pressure: both pressures are components, a missing one with an absent reason. */
function buildBloodPressure(
  { systolic, diastolic }: Pressure,
  inherited: InheritedValues,
  context: Context,
): FhirObject {
  const first = systolic ?? diastolic;
  if (first === undefined) return {};
  const code = {
    coding: [{ system: LOINC, code: '85354-9', display: 'Blood pressure panel with all children optional' }],
    text: 'Blood pressure',
  };
  const { note, ...content } = buildObservation(first, { code, inherited }, context);
  const values = Object.keys(content).filter((name) =>
    /^(_?value|dataAbsent|interpret|referenceRange)/.test(name),
  );
  const rest = Object.fromEntries(Object.entries(content).filter(([name]) => !values.includes(name)));
  const both = [systolic, diastolic].filter((one) => one !== undefined);
  return {
    ...rest,
    identifier: both.flatMap(toIdentifiers),
    component: buildComponents({ systolic, diastolic }, context),
    note: mergeNotes(both, inherited, context) ?? note,
  };
}

function mergeNotes(
  both: readonly Element[],
  inherited: InheritedValues,
  context: Context,
): FhirObject[] | undefined {
  const notes = both.flatMap((one) => {
    const { note } = buildObservation(one, { code: {}, inherited }, context);
    return (note ?? []) as FhirObject[];
  });
  return [...new Map(notes.map((note) => [note['text'], note])).values()];
}

const PARTS = {
  systolic: { system: LOINC, code: '8480-6', display: 'Systolic blood pressure' },
  diastolic: { system: LOINC, code: '8462-4', display: 'Diastolic blood pressure' },
};

function buildComponents({ systolic, diastolic }: Pressure, context: Context): FhirObject[] {
  const both = parseBothPressures(systolic ?? diastolic, context);
  return (['systolic', 'diastolic'] as const).map((part) => {
    const half = part === 'systolic' ? systolic : diastolic;
    const split = systolic === undefined || diastolic === undefined ? both?.[part] : undefined;
    const own = half ? (getObservationCode(half, context.narrative)?.coding ?? []) : [];
    const code = { coding: [PARTS[part], ...own.filter((one) => one.code !== PARTS[part].code)] };
    if (split !== undefined) return { code, valueQuantity: split };
    if (half === undefined) return { code, dataAbsentReason: buildAbsentConcept(undefined) };
    return { code, ...buildResultValue(half, context.narrative) };
  });
}

/** "132/86 mmHg" in place of one pressure holds both. */
const BOTH = /^(\d{2,3})\s?\/\s?(\d{2,3})(?:\s([^\s]{1,20}))?$/;

function parseBothPressures(
  observation: Element | undefined,
  { narrative }: Context,
): { systolic: FhirObject; diastolic: FhirObject } | undefined {
  const text = observation && buildResultValue(observation, narrative)['valueString'];
  const [, above, below, unit] = BOTH.exec(typeof text === 'string' ? text : '') ?? [];
  if (above === undefined || below === undefined) return undefined;
  return {
    systolic: { value: toRawNumber(above), unit },
    diastolic: { value: toRawNumber(below), unit },
  };
}
