import { formatAnnotations } from '../annotation.ts';
import { formatConcept } from '../codeable-concept.ts';
import { toElements, isTrue, joinPresent, readText, type Element } from '../element.ts';
import { formatPeriod } from '../partial-date.ts';
import { formatDuration, formatDurationRange, formatUndatedChoice } from '../quantity.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeFamilyMemberHistory({ resource }: EntryInput): Description {
  const who = formatConcept(resource['relationship']) ?? readText(resource['name']);
  const missing = formatConcept(resource['dataAbsentReason']);
  const lines = [
    missing && `No history: ${missing}`,
    ...toElements(resource['condition']).map(formatCondition),
    formatDeath(resource),
    formatAge(resource),
    formatBirth(resource),
    formatAnnotations(resource['note']),
  ];
  return {
    title: who === null ? 'Family history' : `Family history: ${who}`,
    text: joinPresent(lines, '; '),
  };
}

/** "Myocardial infarction, age 74 years, contributed to death", and in parentheses what is noted of it, often a doubt. */
function formatCondition(condition: Element): string | null {
  const fatal = isTrue(condition['contributedToDeath']) ? 'contributed to death' : null;
  const outcome = formatConcept(condition['outcome']);
  const said = joinPresent(
    [
      formatConcept(condition['code']),
      formatUndatedChoice(condition, 'onset') ?? formatOnsetPeriod(condition),
      fatal,
      outcome && `outcome: ${outcome}`,
    ],
    ', ',
  );
  const note = formatAnnotations(condition['note']);
  return said === null ? note : joinPresent([said, note && `(${note.replaceAll('\n', '; ')})`], ' ');
}

const formatOnsetPeriod = (condition: Element): string | null =>
  formatPeriod(condition['onsetPeriod'])?.replace(/^(?!from|until)/, 'from ') ?? null;

/** "Deceased at 50 to 55 years", "Deceased 1999-05", "Deceased: died young of heart attack"; "Living" only where that is said. */
function formatDeath(resource: Element): string | null {
  const age = formatDuration(resource['deceasedAge']) ?? formatDurationRange(resource['deceasedRange']);
  const date = readText(resource['deceasedDate']);
  const words = readText(resource['deceasedString']);
  if (age !== null) return `Deceased at ${age}${formatEstimate(resource)}`;
  if (date !== null) return `Deceased ${date}`;
  if (words !== null) return `Deceased: ${words}`;
  if (isTrue(resource['deceasedBoolean'])) return 'Deceased';
  return resource['deceasedBoolean'] === false ? 'Living' : null;
}

function formatAge(resource: Element): string | null {
  const age =
    formatDuration(resource['ageAge']) ??
    formatDurationRange(resource['ageRange']) ??
    readText(resource['ageString']);
  return age && `Age ${age}${formatEstimate(resource)}`;
}

const formatEstimate = (resource: Element): string =>
  isTrue(resource['estimatedAge']) ? ' (estimated)' : '';

function formatBirth(resource: Element): string | null {
  const born =
    readText(resource['bornDate']) ??
    readText(resource['bornString']) ??
    formatPeriod(resource['bornPeriod']);
  return born && `Born ${born}`;
}
