import { formatConcept, formatConcepts } from '../codeable-concept.ts';
import { toElements, joinPresent, readText } from '../element.ts';
import { resolveDisplays } from '../reference.ts';
import type { Description, EntryInput } from '../entry-builder.ts';

export function describeAppointment(input: EntryInput): Description {
  const { resource } = input;
  const who = toElements(resource['participant']).flatMap((each) => resolveDisplays(each['actor'], input));
  const kind = formatConcept(resource['appointmentType']) ?? formatConcept(resource['serviceType']);
  const title = readText(resource['description']) ?? kind;
  const lines = [
    kind === title ? null : kind,
    ...formatConcepts(resource['reasonCode']),
    ...resolveDisplays(resource['reasonReference'], input),
    readText(resource['comment']),
    readText(resource['patientInstruction']),
    who.length > 0 ? `With: ${who.join(', ')}` : null,
  ];
  return { title: title === null ? 'Appointment' : `Appointment: ${title}`, text: joinPresent(lines, '\n') };
}
