import { readAbsence, toAbsenceFields } from './absent-statements.ts';
import { formatAnnotations } from './annotation.ts';
import {
  toCodeKey,
  formatConcept,
  formatConcepts,
  normalizeName,
  parseCodings,
  RXNORM,
  SNOMED,
} from './codeable-concept.ts';
import {
  getPath,
  presentFields,
  toElements,
  joinPresent,
  readText,
  readTexts,
  type Element,
} from './element.ts';
import { buildGroupKey, formatTitle, isInformativeName } from './group-key.ts';
import { buildEntryBase, formatItself } from './entry-base.ts';
import { formatUndatedChoice } from './quantity.ts';
import { nameByNarrative } from './narrative.ts';
import { formatDisplays } from './reference.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findFirstDate, parsePartialDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';

export const buildAllergyIntolerance: EntryBuilder = (input) => {
  const { resource } = input;
  const reactions = toElements(resource['reaction']);
  const { title, kindName, concept, isOfSeveral } = nameAllergy(resource, reactions);
  const clinicalStatus = readStatusCode(resource['clinicalStatus']);
  const verification = readStatusCode(resource['verificationStatus']);
  const code = toCodeKey(concept, [SNOMED, RXNORM]);
  const onset = formatUndatedChoice(resource, 'onset');
  const base = buildEntryBase(input, {
    title,
    whenText: onset,
    code,
    ...(kindName !== null && {
      groupKey: buildGroupKey({ code, title: title ?? '', concept, itself: formatItself(input) }),
    }),
    when: findBeginning(resource),
    status: clinicalStatus,
    // Unlike a condition, an allergy without a status is in force: leaving it out is the dangerous error.
    current: !['inactive', 'resolved'].includes(clinicalStatus ?? '') && verification !== 'refuted',
  });
  const known = listKnownNames(isOfSeveral ? null : title, concept);
  const recorded = parsePartialDate(resource['recordedDate']).dayText;
  const detail = {
    clinicalStatus,
    verification,
    ...toAbsenceFields(readAbsence(resource['code'], title), reactions.flatMap(listReactionWords)),
    type: readStatusCode(resource['type']),
    categories: readTexts(resource['category']),
    criticality: readText(resource['criticality']),
    reactions: reactions
      .filter((reaction) => !isOfSeveral || !saysSubstanceAlone(reaction))
      .flatMap((reaction) => formatReaction(reaction, known) ?? []),
    note: joinPresent(
      [
        kindName && `Recorded as: ${kindName}`,
        onset && `Onset: ${onset}`,
        formatAnnotations(resource['note']),
        ...reactions.map((reaction) => formatReactionNote(reaction, reactions.length > 1 ? known : null)),
      ],
      '\n',
    ),
    ...presentFields({
      recorded: recorded === base.dayText ? null : recorded,
      lastOccurrence: readText(resource['lastOccurrence']),
      asserter: formatDisplays(resource['asserter'], input) ?? formatDisplays(resource['recorder'], input),
    }),
  };
  return [{ ...base, kind: 'allergy', detail }];
};

/** Its onset, or else when it was recorded. */
const findBeginning = (resource: Element) =>
  findFirstDate(
    resource['onsetDateTime'],
    getPath(resource, 'onsetPeriod', 'start'),
    resource['recordedDate'],
  );

const listReactionWords = (reaction: Element): (string | null)[] => [
  ...formatConcepts(reaction['manifestation']),
  formatSubstance(reaction['substance']),
  readText(reaction['description']),
];

interface AllergyName {
  title: string | null;
  /** The words of a code that names no substance, where a reaction does. */
  kindName: string | null;
  concept: unknown;
  /** Whether the title is of several substances: a reaction says then which it is of. */
  isOfSeveral: boolean;
}

/**
 * Names an allergy by its code; by the substances of its reactions where there is none, or one that says no more than that
 * something is an allergy ("Propensity to adverse reaction to drug").
 */
function nameAllergy(resource: ParsedResource, reactions: readonly Element[]): AllergyName {
  const concept = resource['code'];
  const name = formatTitle(concept);
  const substances = reactions.flatMap(({ substance }) =>
    isInformativeName(formatSubstance(substance)) ? [substance] : [],
  );
  const isNamed = isInformativeName(name) || readAbsence(concept, name) === 'none';
  if (isNamed || substances.length === 0)
    return { title: name ?? nameByNarrative(resource), kindName: null, concept, isOfSeveral: false };
  const names = new Map(
    substances.map((each) => [normalizeName(formatConcept(each) ?? ''), formatConcept(each)]),
  );
  const title = joinPresent([...names.values()], ', ');
  const isOfSeveral = names.size > 1;
  return { title, kindName: name, concept: isOfSeveral ? concept : substances[0], isOfSeveral };
}

/** Null for one that names none: "Unknown", "None". */
function formatSubstance(substance: unknown): string | null {
  const name = formatConcept(substance);
  return readAbsence(substance, name) === null ? name : null;
}

/** How the substance is called already: a reaction need not repeat it. */
const listKnownNames = (title: string | null, concept: unknown): string[] =>
  [title, ...parseCodings(concept).map(({ display }) => display)].flatMap((name) =>
    name === null ? [] : normalizeName(name),
  );

/**
 * "Hives, skin rash (severe)"; "Advil: hives" where the substance of the reaction is another one than the `known`, or a more
 * specific one (https://hl7.org/fhir/R4/allergyintolerance-definitions.html#AllergyIntolerance.reaction.substance).
 */
function formatReaction(reaction: Element, known: readonly string[]): string | null {
  const what = joinPresent(
    [...formatConcepts(reaction['manifestation']), readText(reaction['description'])],
    ', ',
  );
  const severity = readText(reaction['severity']);
  const written = formatSubstance(reaction['substance']);
  const isKnown = written === null || known.some((name) => holdsWords(name, written));
  const substance = isKnown ? null : written;
  const said = joinPresent([substance, what], ': ');
  return said !== null && severity !== null ? `${said} (${severity})` : (said ?? severity);
}

const saysSubstanceAlone = ({ manifestation, description, severity }: Element): boolean =>
  [manifestation, description, severity].every((each) => each === undefined);

/** Whole words: "pineapple" is no "apple". */
const holdsWords = (name: string, words: string): boolean => toWords(name).includes(toWords(words));

const toWords = (name: string): string =>
  ` ${(normalizeName(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `;

/** "Anaphylaxis: tolerates cephalexin orally; exposure: IV", named where there are several reactions. */
function formatReactionNote(reaction: Element, known: readonly string[] | null): string | null {
  const route = formatConcept(reaction['exposureRoute']);
  const said = joinPresent([formatAnnotations(reaction['note']), route && `exposure: ${route}`], '; ');
  return said === null || known === null ? said : joinPresent([formatReaction(reaction, known), said], ': ');
}
