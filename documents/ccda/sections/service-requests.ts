import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { getAttribute, getChild, getChildren, selectFirst } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { Context } from '../section.ts';
import { buildDateTime, buildPeriodOrDateTime } from '../times.ts';
import { getGroupedStatus } from './clinical-status.ts';
import { buildNotes } from './entry-relationships.ts';

/** LOINC codes of the sections of plans: plan of treatment, planned procedure, goals. */
export const PLAN_CODES = ['18776-5', '59772-4', '61146-7'];

const INTENTS = new Map([
  ['RQO', 'order'],
  ['PRP', 'proposal'],
  ['ARQ', 'proposal'],
]);

/** Returns whether something is planned, ordered or proposed (v3 ActMood). */
export const toIntent = (statement: Element): string =>
  INTENTS.get(getAttribute(statement, 'moodCode') ?? '') ?? 'plan';

const STATUSES = new Map([
  ['completed', 'completed'],
  ['aborted', 'revoked'],
  ['cancelled', 'revoked'],
  ['suspended', 'on-hold'],
  ['held', 'on-hold'],
  ['nullified', 'entered-in-error'],
]);

/** Builds the ServiceRequest of what is planned, ordered or proposed. */
export function buildServiceRequest(statement: Element, code: CodeableConcept, context: Context): FhirObject {
  const { narrative, patient, people } = context;
  const author = people.findAuthor(statement);
  return {
    identifier: toIdentifiers(statement),
    status: STATUSES.get(getGroupedStatus(statement) ?? '') ?? 'active',
    code,
    subject: patient,
    ...buildPeriodOrDateTime('occurrence', getChild(statement, 'effectiveTime')),
    ...buildDateTime('authoredOn', author?.when),
    requester: author?.who,
    performer: people.findPerformers(statement).map(({ who }) => who),
    reasonCode: getChildren(statement, 'entryRelationship')
      .filter((one) => getAttribute(one, 'typeCode') === 'RSON')
      .flatMap((one) => toCodeableConcept(selectFirst(one, 'observation/value'), narrative) ?? []),
    bodySite: getChildren(statement, 'targetSiteCode').flatMap(
      (site) => toCodeableConcept(site, narrative) ?? [],
    ),
    note: buildNotes(statement, { narrative, exclude: [] }),
    intent: toIntent(statement),
  };
}
