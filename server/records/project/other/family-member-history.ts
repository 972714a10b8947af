import { annotations } from '../annotation.ts';
import { conceptText } from '../codeable-concept.ts';
import { elements, isTrue, joined, text, type Element } from '../element.ts';
import { durationText, inOtherWords } from '../quantity.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function familyMemberHistory({ resource }: Source): Description {
  const who = conceptText(resource['relationship']) ?? text(resource['name']);
  const died = durationText(resource['deceasedAge']) ?? (isTrue(resource['deceasedBoolean']) ? '' : null);
  const lines = [
    ...elements(resource['condition']).map(illness),
    died === null ? null : joined(['Deceased', died && `at ${died}`], ' '),
    annotations(resource['note']),
  ];
  return { title: who === null ? 'Family history' : `Family history: ${who}`, text: joined(lines, '; ') };
}

/** "Myocardial infarction, age 74 years". */
function illness(condition: Element): string | null {
  const fatal = isTrue(condition['contributedToDeath']) ? 'contributed to death' : null;
  return joined(
    [
      conceptText(condition['code']),
      inOtherWords(condition, 'onset'),
      fatal,
      conceptText(condition['outcome']),
    ],
    ', ',
  );
}
