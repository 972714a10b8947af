import { parseAbsence } from '../absence-grammar.ts';
import { formatAnnotations } from '../annotation.ts';
import { formatConcept } from '../codeable-concept.ts';
import { toElements, joinPresent, readText, type Element } from '../element.ts';
import { formatQuantity, formatRange } from '../quantity.ts';
import { resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeGoal(input: EntryInput): Description {
  const { resource } = input;
  const aim = formatConcept(resource['description']);
  const addresses = joinPresent(resolveDisplays(resource['addresses'], input), '; ');
  const lines = [
    formatConcept(resource['achievementStatus']),
    ...toElements(resource['target']).map(formatTarget),
    addresses && `For: ${addresses}`,
    readText(resource['statusReason']),
    formatAnnotations(resource['note']),
  ];
  const isStatement = aim !== null && parseAbsence(aim) !== null;
  return { title: isStatement ? aim : joinPresent(['Goal', aim], ': '), text: joinPresent(lines, '; ') };
}

/** "Weight Measured 160 to 180 lbs by 2016-04-05". */
function formatTarget(value: Element): string | null {
  const amount =
    formatQuantity(value['detailQuantity']) ??
    formatRange(value['detailRange']) ??
    formatConcept(value['detailCodeableConcept']) ??
    readText(value['detailString']);
  const due = readText(value['dueDate']);
  return joinPresent([formatConcept(value['measure']), amount, due && `by ${due}`], ' ');
}
