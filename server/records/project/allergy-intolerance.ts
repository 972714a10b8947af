import { saysNone } from './absent-statements.ts';
import { annotations } from './annotation.ts';
import { codeKey, conceptText, conceptTexts, RXNORM, SNOMED, statusCode } from './codeable-concept.ts';
import { at, elements, joined, text, texts, type Element } from './element.ts';
import { entryBase } from './entry-base.ts';
import { inOtherWords } from './quantity.ts';
import type { Projector } from './source.ts';
import { firstDate } from './written-date.ts';

export const allergyIntolerance: Projector = (source) => {
  const { resource } = source;
  const reactions = elements(resource['reaction']);
  const title = conceptText(resource['code']) ?? conceptText(reactions[0]?.['substance']);
  const clinicalStatus = statusCode(resource['clinicalStatus']);
  const verification = statusCode(resource['verificationStatus']);
  const onset = inOtherWords(resource, 'onset');
  const base = entryBase(source, {
    title,
    code: codeKey(resource['code'], [SNOMED, RXNORM]),
    when: firstDate(
      resource['onsetDateTime'],
      at(resource, 'onsetPeriod', 'start'),
      resource['recordedDate'],
    ),
    status: clinicalStatus,
    // Unlike a condition, an allergy whose status is not told is in force: leaving it out is the dangerous error.
    current: !['inactive', 'resolved'].includes(clinicalStatus ?? '') && verification !== 'refuted',
  });
  const detail = {
    clinicalStatus,
    verification,
    none: saysNone(resource['code'], title),
    type: statusCode(resource['type']),
    categories: texts(resource['category']),
    criticality: text(resource['criticality']),
    reactions: reactions.flatMap((reaction) => reactionText(reaction) ?? []),
    note: joined([onset && `Onset: ${onset}`, annotations(resource['note'])], '\n'),
  };
  return [{ ...base, kind: 'allergy', detail }];
};

/** "Hives, skin rash (severe)". */
function reactionText(reaction: Element): string | null {
  const what = joined([...conceptTexts(reaction['manifestation']), text(reaction['description'])], ', ');
  const severity = text(reaction['severity']);
  return what !== null && severity !== null ? `${what} (${severity})` : (what ?? severity);
}
