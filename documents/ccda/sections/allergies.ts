import type { Element } from 'slimdom';
import { selectAll, getAttribute, getChild, hasTemplateId, getNullFlavor } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { buildAbsentExtension } from '../null-flavors.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import type { SkipReason } from '../resource-list.ts';
import { buildDateTime, findTime, getEnd, getStart } from '../times.ts';
import { formatWording } from './denied-names.ts';
import { buildReactions, findReactions } from './allergy-reactions.ts';
import { ALLERGY_KINDS, getPlayingEntity, toSubstance } from './allergy-substances.ts';
import { getConcernStatus, isNullified, getStatedStatus } from './clinical-status.ts';
import {
  hasCodeOrTemplate,
  buildNotes,
  findRelated,
  getRelatedObservations,
  SEVERITY,
  STATUS,
  buildConcept,
} from './entry-relationships.ts';
import { getCodes } from './named-concepts.ts';

const CRITICALITY = { codes: ['82606-5'], templates: ['2.16.840.1.113883.10.20.22.4.145'] };
const CRITICALITIES = new Map([
  ['CRITH', 'high'],
  ['CRITL', 'low'],
  ['CRITU', 'unable-to-assess'],
]);

const ALLERGY_OBSERVATION = ['2.16.840.1.113883.10.20.22.4.7', '2.16.840.1.113883.10.20.1.18'];

/** An AllergyIntolerance for each Allergy Observation of an Allergy Concern Act. */
export const allergies: SectionKind = {
  name: 'allergies',
  codes: ['48765-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.6',
    '2.16.840.1.113883.10.20.22.2.6.1',
    '2.16.840.1.113883.10.20.1.2',
  ],
  convert: convertAllergy,
};

function convertAllergy({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const isObservation = statement.localName === 'observation';
  const found = isObservation ? [statement] : findAllergyObservations(statement);
  if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
  const concern = isObservation ? undefined : statement;
  // What stands beside one of several allergies may be the reaction to any of them.
  const beside = concern === undefined || found.length > 1 ? [] : findReactions(concern);
  const concernNotes = concern === undefined ? [] : getConcernNotes(concern, [...found, ...beside], context);
  const contents = found.map((observation, index) =>
    buildAllergy(observation, { concern, concernNotes: index === 0 ? concernNotes : [], beside }, context),
  );
  for (const content of contents)
    if (content !== undefined) context.resources.add('AllergyIntolerance', position, content);
  return contents.some((content) => content !== undefined) ? null : 'null_flavored';
}

/** Finds the allergies of an act; other observations in it, a severity or a reaction, belong to them. */
function findAllergyObservations(concern: Element): Element[] {
  const inside = selectAll(concern, 'entryRelationship/observation');
  const known = inside.filter(
    (one) => hasTemplateId(one, ...ALLERGY_OBSERVATION) || getPlayingEntity(one) !== undefined,
  );
  return known.length > 0
    ? known
    : inside.filter((one) => !hasCodeOrTemplate(one, STATUS) && !hasCodeOrTemplate(one, SEVERITY));
}

/** Returns the notes of the act, which are added to its first allergy. */
const getConcernNotes = (concern: Element, exclude: readonly Element[], { narrative }: Context): string[] =>
  buildNotes(concern, { narrative, exclude }).flatMap(({ text }) => (typeof text === 'string' ? text : []));

/** The act around an allergy: its notes, and the reactions in it that are of no other allergy. */
interface Act {
  concern: Element | undefined;
  concernNotes: readonly string[];
  beside: readonly Element[];
}

function buildAllergy(
  observation: Element,
  { concern, concernNotes, beside }: Act,
  context: Context,
): FhirObject | undefined {
  const { narrative, people } = context;
  const kind = getCodes(getChild(observation, 'value')).flatMap((code) => ALLERGY_KINDS.get(code) ?? [])[0];
  const substance = toSubstance(observation, kind?.subject ?? 'allergy', context);
  if (substance === undefined || getNullFlavor(observation) !== undefined) return undefined;
  const author = people.findAuthor(observation) ?? people.findAuthor(concern);
  const interval = getChild(observation, 'effectiveTime');
  const end = getEnd(interval);
  const { reactions, severity } = buildReactions(observation, { narrative, beside });
  const criticality = getCodes(getChild(findRelated(observation, CRITICALITY), 'value'));
  return {
    identifier: toIdentifiers(observation),
    ...buildStatus(observation, { concern, isRefuted: substance.isRefuted }, context),
    ...(!substance.isNone && { type: kind?.type, category: kind?.category && [kind.category] }),
    criticality: criticality.flatMap((code) => CRITICALITIES.get(code) ?? [])[0],
    code: substance.code,
    patient: context.patient,
    ...buildDateTime('onsetDateTime', getStart(interval)),
    ...buildDateTime('recordedDate', findTime(author?.when, getStart(getChild(concern, 'effectiveTime')))),
    recorder: author?.who,
    note: buildNotes(observation, {
      narrative,
      exclude: getRelatedObservations(observation).filter(
        (one) =>
          hasCodeOrTemplate(one, STATUS) ||
          hasCodeOrTemplate(one, SEVERITY) ||
          hasCodeOrTemplate(one, CRITICALITY) ||
          isReaction(one),
      ),
      more: [
        ...formatWording(substance.wording),
        ...severity,
        ...(end === undefined ? [] : [`Ended: ${end.value}`]),
        ...concernNotes,
      ],
    }),
    reaction: reactions,
  };
}

const isReaction = (observation: Element): boolean =>
  getAttribute(observation.parentElement ?? undefined, 'typeCode') === 'MFST';

/**
 * Builds the statuses. FHIR ait-1 requires a clinical status: an unknown one, or one of a refuted allergy, has an
 * absent reason.
 */
function buildStatus(
  observation: Element,
  { concern, isRefuted }: { concern: Element | undefined; isRefuted: boolean },
  { narrative }: Context,
): FhirObject {
  if (isNullified(observation))
    return { verificationStatus: buildConcept('allergyintolerance-verification', 'entered-in-error') };
  const derivedStatus = getEnd(getChild(observation, 'effectiveTime')) === undefined ? undefined : 'inactive';
  const statedStatus = getStatedStatus(observation, narrative) ?? derivedStatus ?? getConcernStatus(concern);
  const status =
    statedStatus === 'remission' || statedStatus === 'recurrence' || statedStatus === 'relapse'
      ? undefined
      : statedStatus;
  return {
    clinicalStatus:
      status === undefined || isRefuted
        ? { extension: [buildAbsentExtension(undefined)] }
        : buildConcept('allergyintolerance-clinical', status),
    ...(isRefuted && { verificationStatus: buildConcept('allergyintolerance-verification', 'refuted') }),
  };
}
