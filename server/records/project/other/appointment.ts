import { conceptText, conceptTexts } from '../codeable-concept.ts';
import { elements, joined, text } from '../element.ts';
import { labelsOf } from '../reference.ts';
import type { Source } from '../source.ts';
import type { Description } from './description.ts';

export function appointment(source: Source): Description {
  const { resource } = source;
  const who = elements(resource['participant']).flatMap((each) => labelsOf(each['actor'], source));
  const kind = conceptText(resource['appointmentType']) ?? conceptText(resource['serviceType']);
  const title = text(resource['description']) ?? kind;
  const lines = [
    kind === title ? null : kind,
    ...conceptTexts(resource['reasonCode']),
    ...labelsOf(resource['reasonReference'], source),
    text(resource['comment']),
    text(resource['patientInstruction']),
    who.length > 0 ? `With: ${who.join(', ')}` : null,
  ];
  return { title: title === null ? 'Appointment' : `Appointment: ${title}`, text: joined(lines, '\n') };
}
