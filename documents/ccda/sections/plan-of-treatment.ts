import type { Element } from 'slimdom';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  hasTemplateId,
  isNegated,
  getNullFlavor,
} from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { Context, EntryConverter, SectionKind } from '../section.ts';
import { isPlanned } from './clinical-status.ts';
import { getPhrase } from './entry-relationships.ts';
import { buildGoal } from './goals.ts';
import { isPlaceholder } from './absent-statement.ts';
import { immunizations } from './immunizations.ts';
import { medications } from './medications.ts';
import { toNamedConcept } from './named-concepts.ts';
import { buildServiceRequest, PLAN_CODES, toIntent } from './service-requests.ts';

/** Converts a plan of treatment: requests to ServiceRequest, goals to Goal, drugs as those of the medication list. */
export const planOfTreatment: SectionKind = {
  name: 'plan of treatment',
  codes: PLAN_CODES,
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
  if (isPlannedImmunization(statement)) return immunizations.convert(...args);
  if (statement.localName === 'substanceAdministration') return medications.convert(...args);
  const mood = getAttribute(statement, 'moodCode');
  if (!FORMS.has(statement.localName) || (isNegated(statement) && mood === 'GOL')) return 'no_form';
  // What was done already (a handover, an education) and instructions have text and no code of their own.
  if (mood === 'EVN' || isInstruction(statement)) return 'no_form';
  const coded = [statement, ...getNested(statement)].find((one) => toCode(one, context) !== undefined);
  const code = coded && toCode(coded, context);
  if (isNegated(statement) && code?.text === undefined) return 'no_form';
  if (code === undefined) return isUnknown(statement) ? 'null_flavored' : 'no_content';
  if (mood === 'GOL') context.resources.add('Goal', position, buildGoal(coded ?? statement, code, context));
  else
    context.resources.add('ServiceRequest', position, {
      ...buildServiceRequest(coded ?? statement, code, context),
      intent: toIntent(statement),
      ...((isNegated(statement) || isNegated(coded)) && { doNotPerform: true }),
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

/** Planned Immunization Activity. */
const isPlannedImmunization = (statement: Element): boolean =>
  statement.localName === 'substanceAdministration' &&
  hasTemplateId(statement, '2.16.840.1.113883.10.20.22.4.120') &&
  isPlanned(statement);
