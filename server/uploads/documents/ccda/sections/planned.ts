import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { all, attribute, child, children, first, isNegated, nullFlavor } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import type { Context, EntryConverter, SectionKind } from '../section.ts';
import { dated, startOf, timed, type Time } from '../times.ts';
import { notesOf, phraseOf } from './entry-parts.ts';
import { tellsNothing } from './absent-statement.ts';
import { medications } from './medications.ts';
import { namedConcept } from './own-words.ts';

/** Plan of treatment: what is asked for becomes a ServiceRequest, a goal a Goal, a drug what drugs become. */
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

function convertPlanned(...given: Parameters<EntryConverter>): ReturnType<EntryConverter> {
  const [{ statement, position }, context] = given;
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  if (statement.localName === 'substanceAdministration') return medications.convert(...given);
  if (!FORMS.has(statement.localName) || isNegated(statement)) return 'no_form';
  const mood = attribute(statement, 'moodCode');
  // What was done already (a handover, an education) and instructions have words and no code of their own.
  if (mood === 'EVN' || isInstruction(statement)) return 'no_form';
  const told = [statement, ...inside(statement)].find((one) => codeOf(one, context) !== undefined);
  const code = told && codeOf(told, context);
  if (code === undefined) return isUnknown(statement) ? 'null_flavored' : 'no_content';
  if (mood === 'GOL') context.resources.add('Goal', position, goalOf(told ?? statement, code, context));
  else
    context.resources.add('ServiceRequest', position, {
      ...requestOf(told ?? statement, code, context),
      intent: INTENTS.get(mood ?? '') ?? 'plan',
    });
  return null;
}

/** One vendor plans an empty statement that refers to the one it means, inside of it. */
const inside = (statement: Element): Element[] => all(statement, `entryRelationship/${statement.localName}`);

const isUnknown = (statement: Element): boolean =>
  [statement, ...inside(statement)].some((one) => nullFlavor(child(one, 'code')) !== undefined);

const isInstruction = (statement: Element): boolean =>
  children(statement, 'templateId').some(
    (one) => attribute(one, 'root') === '2.16.840.1.113883.10.20.22.4.20',
  );

function codeOf(statement: Element, { narrative }: Context): CodeableConcept | undefined {
  const read = namedConcept(child(statement, 'code'), narrative);
  if (read?.text !== undefined) return read;
  const name = phraseOf(statement, narrative);
  return name === undefined || tellsNothing(name) ? read : { ...read, text: name };
}

function goalOf(statement: Element, description: CodeableConcept, context: Context): FhirObject {
  const { narrative, patient, people } = context;
  const start = startOf(child(statement, 'effectiveTime'));
  const author = people.author(statement);
  return {
    identifier: identifiers(statement),
    lifecycleStatus:
      attribute(child(statement, 'statusCode'), 'code') === 'completed' ? 'completed' : 'active',
    description,
    subject: patient,
    ...dated('startDate', start && dayOf(start)),
    expressedBy: author?.who.reference?.startsWith('Practitioner/') ? author.who : undefined,
    note: notesOf(statement, { narrative, besides: [] }),
  };
}

const dayOf = ({ value, written }: Time): Time => ({
  value: value.slice(0, 10),
  ...(value.length > 10 ? { written: value } : written === undefined ? {} : { written }),
});

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

function requestOf(statement: Element, code: CodeableConcept, context: Context): FhirObject {
  const { narrative, patient, people } = context;
  const author = people.author(statement);
  return {
    identifier: identifiers(statement),
    status: STATUSES.get(attribute(child(statement, 'statusCode'), 'code') ?? '') ?? 'active',
    code,
    subject: patient,
    ...timed('occurrence', child(statement, 'effectiveTime')),
    ...dated('authoredOn', author?.when),
    requester: author?.who,
    performer: people.performers(statement).map(({ who }) => who),
    reasonCode: children(statement, 'entryRelationship')
      .filter((one) => attribute(one, 'typeCode') === 'RSON')
      .flatMap((one) => concept(first(one, 'observation/value'), narrative) ?? []),
    bodySite: children(statement, 'targetSiteCode').flatMap((site) => concept(site, narrative) ?? []),
    note: notesOf(statement, { narrative, besides: [] }),
  };
}
