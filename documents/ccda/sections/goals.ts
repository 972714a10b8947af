import type { Element } from 'slimdom';
import { getChild } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { Context } from '../section.ts';
import { buildDateTime, getEnd, getStart, type Time } from '../times.ts';
import { getActStatus } from './clinical-status.ts';
import { buildNotes } from './entry-relationships.ts';
import { buildValue } from './observation-value.ts';
import { formatBuiltValue } from './value-text.ts';

/** Builds a Goal from an observation in goal mood; its value is what is aimed at ("≥ 92 %"), its end the day it is due. */
export function buildGoal(statement: Element, description: CodeableConcept, context: Context): FhirObject {
  const { narrative, patient, people } = context;
  const period = getChild(statement, 'effectiveTime');
  const [start, due] = [getStart(period), getEnd(period)];
  const author = people.findAuthor(statement);
  const target = {
    ...buildDetail(statement, description, context),
    ...buildDateTime('dueDate', due && toDay(due)),
  };
  return {
    identifier: toIdentifiers(statement),
    lifecycleStatus: STATUSES.get(getActStatus(statement) ?? '') ?? 'active',
    description,
    subject: patient,
    ...buildDateTime('startDate', start && toDay(start)),
    target: Object.keys(target).length === 0 ? undefined : [target],
    expressedBy: author?.who,
    note: buildNotes(statement, { narrative, exclude: [] }),
  };
}

const STATUSES = new Map([
  ['completed', 'completed'],
  ['aborted', 'cancelled'],
  ['cancelled', 'cancelled'],
  ['held', 'on-hold'],
  ['suspended', 'on-hold'],
  ['nullified', 'entered-in-error'],
]);

/** Forms of a value that `Goal.target.detail[x]` takes. */
const FORMS = ['Quantity', 'Range', 'CodeableConcept', 'String', 'Boolean', 'Integer', 'Ratio'];

/** FHIR gol-1: a detail says what it measures. */
function buildDetail(statement: Element, measure: CodeableConcept, { narrative }: Context): FhirObject {
  const value = getChild(statement, 'value');
  if (value === undefined) return {};
  const read = buildValue(value, narrative);
  const form = FORMS.find((each) => read[`value${each}`] !== undefined);
  if (form !== undefined) return { measure, [`detail${form}`]: read[`value${form}`] };
  const words = formatBuiltValue(read);
  return words === undefined ? {} : { measure, detailString: words };
}

const toDay = (time: Time): Time => {
  const { value } = time;
  const day = value?.slice(0, 10);
  return value === undefined || day === value ? time : { value: day, original: value };
};
