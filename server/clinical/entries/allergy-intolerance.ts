import { readAbsence, toAbsenceFields } from './absent-statements.ts';
import { formatAnnotations } from './annotation.ts';
import { toCodeKey, formatConcept, formatConcepts, RXNORM, SNOMED } from './codeable-concept.ts';
import {
  getPath,
  presentFields,
  toElements,
  joinPresent,
  readText,
  readTexts,
  type Element,
} from './element.ts';
import { formatTitle } from './group-key.ts';
import { buildEntryBase } from './entry-base.ts';
import { formatUndatedChoice } from './quantity.ts';
import { nameByNarrative } from './narrative.ts';
import { formatDisplays } from './reference.ts';
import type { EntryBuilder } from './entry-builder.ts';
import { findFirstDate, parsePartialDate } from './partial-date.ts';
import { readStatusCode } from './status-code.ts';

export const buildAllergyIntolerance: EntryBuilder = (input) => {
  const { resource } = input;
  const reactions = toElements(resource['reaction']);
  const title =
    formatTitle(resource['code']) ?? formatConcept(reactions[0]?.['substance']) ?? nameByNarrative(resource);
  const clinicalStatus = readStatusCode(resource['clinicalStatus']);
  const verification = readStatusCode(resource['verificationStatus']);
  const onset = formatUndatedChoice(resource, 'onset');
  const base = buildEntryBase(input, {
    title,
    code: toCodeKey(resource['code'], [SNOMED, RXNORM]),
    when: findFirstDate(
      resource['onsetDateTime'],
      getPath(resource, 'onsetPeriod', 'start'),
      resource['recordedDate'],
    ),
    status: clinicalStatus,
    // Unlike a condition, an allergy without a status is in force: leaving it out is the dangerous error.
    current: !['inactive', 'resolved'].includes(clinicalStatus ?? '') && verification !== 'refuted',
  });
  const recorded = parsePartialDate(resource['recordedDate']).dayText;
  const detail = {
    clinicalStatus,
    verification,
    ...toAbsenceFields(readAbsence(resource['code'], title), reactions.flatMap(listReactionWords)),
    type: readStatusCode(resource['type']),
    categories: readTexts(resource['category']),
    criticality: readText(resource['criticality']),
    reactions: reactions.flatMap((reaction) => formatReaction(reaction) ?? []),
    note: joinPresent(
      [
        onset && `Onset: ${onset}`,
        formatAnnotations(resource['note']),
        ...reactions.map((reaction) => formatReactionNote(reaction, reactions.length > 1)),
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

const listReactionWords = (reaction: Element): (string | null)[] => [
  ...formatConcepts(reaction['manifestation']),
  formatConcept(reaction['substance']),
  readText(reaction['description']),
];

/** "Hives, skin rash (severe)". */
function formatReaction(reaction: Element): string | null {
  const what = joinPresent(
    [...formatConcepts(reaction['manifestation']), readText(reaction['description'])],
    ', ',
  );
  const severity = readText(reaction['severity']);
  return what !== null && severity !== null ? `${what} (${severity})` : (what ?? severity);
}

/** "Anaphylaxis: tolerates cephalexin orally; exposure: IV", named where there are several reactions. */
function formatReactionNote(reaction: Element, isOneOfSeveral: boolean): string | null {
  const route = formatConcept(reaction['exposureRoute']);
  const said = joinPresent([formatAnnotations(reaction['note']), route && `exposure: ${route}`], '; ');
  return said === null || !isOneOfSeveral ? said : joinPresent([formatReaction(reaction), said], ': ');
}
