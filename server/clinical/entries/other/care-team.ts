import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { getPath, toElements, joinPresent, readText } from '../element.ts';
import { parsePartialDate } from '../partial-date.ts';
import { resolveDisplay } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeCareTeam(input: EntryInput): Description {
  const { resource } = input;
  const reason = joinPresent(formatConcepts(resource['reasonCode']), ', ');
  const name = readText(resource['name']) ?? reason;
  const people = toElements(resource['participant']).map((each) => {
    const who = resolveDisplay(each['member'], input);
    const member = joinPresent([formatConcept(each['role']), who], ': ');
    const period = formatEndedPeriod(each['period']);
    return member !== null && period !== null ? `${member} (${period})` : member;
  });
  return { title: name === null ? 'Care team' : `Care team: ${name}`, text: joinPresent(people, '\n') };
}

/** "2019-01-01 to 2021-05-05": who has left the team is no member of it; of others the beginning matters less. */
function formatEndedPeriod(period: unknown): string | null {
  const start = parsePartialDate(getPath(period, 'start')).dayText;
  const end = parsePartialDate(getPath(period, 'end')).dayText;
  return end === null ? null : start === null ? `until ${end}` : `${start} to ${end}`;
}
