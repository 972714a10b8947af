import { formatAnnotations } from '../annotation.ts';
import { formatConcept } from '../codeable-concept.ts';
import { toElements, isTrue, joinPresent, readText, type Element } from '../element.ts';
import { formatDuration, formatUndatedChoice } from '../quantity.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeFamilyMemberHistory({ resource }: EntryInput): Description {
  const who = formatConcept(resource['relationship']) ?? readText(resource['name']);
  const died = formatDuration(resource['deceasedAge']) ?? (isTrue(resource['deceasedBoolean']) ? '' : null);
  const lines = [
    ...toElements(resource['condition']).map(formatCondition),
    died === null ? null : joinPresent(['Deceased', died && `at ${died}`], ' '),
    formatAnnotations(resource['note']),
  ];
  return {
    title: who === null ? 'Family history' : `Family history: ${who}`,
    text: joinPresent(lines, '; '),
  };
}

/** "Myocardial infarction, age 74 years". */
function formatCondition(condition: Element): string | null {
  const fatal = isTrue(condition['contributedToDeath']) ? 'contributed to death' : null;
  return joinPresent(
    [
      formatConcept(condition['code']),
      formatUndatedChoice(condition, 'onset'),
      fatal,
      formatConcept(condition['outcome']),
    ],
    ', ',
  );
}
