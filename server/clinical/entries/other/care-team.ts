import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { toElements, joinPresent, readText } from '../element.ts';
import { resolveDisplay } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeCareTeam(input: EntryInput): Description {
  const { resource } = input;
  const reason = joinPresent(formatConcepts(resource['reasonCode']), ', ');
  const name = readText(resource['name']) ?? reason;
  const people = toElements(resource['participant']).map((each) => {
    const who = resolveDisplay(each['member'], input);
    return joinPresent([formatConcept(each['role']), who], ': ');
  });
  return { title: name === null ? 'Care team' : `Care team: ${name}`, text: joinPresent(people, '\n') };
}
