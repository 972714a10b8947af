import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  selectFirst,
  isNegated,
  getNullFlavor,
} from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { Context, EntryConverter, SectionKind } from '../section.ts';
import { buildDateTime, buildPeriodOrDateTime } from '../times.ts';
import { buildNotes, getPhrase } from './entry-relationships.ts';
import { buildGoal } from './goals.ts';
import { isPlaceholder } from './absent-statement.ts';
import { medications } from './medications.ts';
import { toNamedConcept } from './named-concepts.ts';

/** Converts a plan of treatment: requests to ServiceRequest, goals to Goal, drugs as those of the medication list. */
export const planOfTreatment: SectionKind = {
  name: 'plan of treatment',
  codes: ['18776-5', '59772-4', '61146-7'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.10',
    '2.16.840.1.113883.10.20.22.2.30',
    '2.16.840.1.113883.10.20.22.2.60',
    '2.16.840.1.113883.10.20.1.10',
  ],
  convert: convertPlanned,
};

const FORMS = new Set(['act', 'observation', 'procedure', 'encounter', 'supply']);

function convertPlanned(...args: Parameters<EntryConverter>): ReturnType<EntryConverter> {
  const [{ statement, position }, context] = args;
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  if (statement.localName === 'substanceAdministration') return medications.convert(...args);
  if (!FORMS.has(statement.localName) || isNegated(statement)) return 'no_form';
  const mood = getAttribute(statement, 'moodCode');
  // What was done already (a handover, an education) and instructions have text and no code of their own.
  if (mood === 'EVN' || isInstruction(statement)) return 'no_form';
  const coded = [statement, ...getNested(statement)].find((one) => toCode(one, context) !== undefined);
  const code = coded && toCode(coded, context);
  if (code === undefined) return isUnknown(statement) ? 'null_flavored' : 'no_content';
  if (mood === 'GOL') context.resources.add('Goal', position, buildGoal(coded ?? statement, code, context));
  else
    context.resources.add('ServiceRequest', position, {
      ...buildServiceRequest(coded ?? statement, code, context),
      intent: INTENTS.get(mood ?? '') ?? 'plan',
    });
  return null;
}

/** Returns nested statements: one vendor writes an empty statement around the one that is meant. */
const getNested = (statement: Element): Element[] =>
  selectAll(statement, `entryRelationship/${statement.localName}`);

const isUnknown = (statement: Element): boolean =>
  [statement, ...getNested(statement)].some((one) => getNullFlavor(getChild(one, 'code')) !== undefined);

const isInstruction = (statement: Element): boolean =>
  getChildren(statement, 'templateId').some(
    (one) => getAttribute(one, 'root') === '2.16.840.1.113883.10.20.22.4.20',
  );

function toCode(statement: Element, { narrative }: Context): CodeableConcept | undefined {
  const read = toNamedConcept(getChild(statement, 'code'), narrative);
  if (read?.text !== undefined) return read;
  const name = getPhrase(statement, narrative);
  return name === undefined || isPlaceholder(name) ? read : { ...read, text: name };
}

const INTENTS = new Map([
  ['RQO', 'order'],
  ['PRP', 'proposal'],
  ['ARQ', 'proposal'],
]);
const STATUSES = new Map([
  ['completed', 'completed'],
  ['aborted', 'revoked'],
  ['cancelled', 'revoked'],
  ['suspended', 'on-hold'],
  ['held', 'on-hold'],
  ['nullified', 'entered-in-error'],
]);

function buildServiceRequest(statement: Element, code: CodeableConcept, context: Context): FhirObject {
  const { narrative, patient, people } = context;
  const author = people.findAuthor(statement);
  return {
    identifier: toIdentifiers(statement),
    status: STATUSES.get(getAttribute(getChild(statement, 'statusCode'), 'code') ?? '') ?? 'active',
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
  };
}
