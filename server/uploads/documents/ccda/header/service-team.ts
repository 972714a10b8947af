import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { child, children, first } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import type { Context } from '../section.ts';
import { period } from '../times.ts';

/** Who cared for the patient in the time the document tells of (`documentationOf/serviceEvent`), as a CareTeam. */
export function serviceTeam(
  root: Element,
  { resources, people, narrative, patient, encounter }: Context,
): void {
  const event =
    root.localName === 'documentationOf'
      ? child(root, 'serviceEvent')
      : first(root, 'documentationOf/serviceEvent');
  const participant = children(event, 'performer').flatMap((performer): FhirObject[] => {
    const entity = child(performer, 'assignedEntity');
    const member = people.assigned(entity);
    if (member === undefined) return [];
    const role =
      concept(child(performer, 'functionCode'), narrative) ?? concept(child(entity, 'code'), narrative);
    return [{ role: role && [role], member, period: period(child(performer, 'time')) }];
  });
  if (participant.length === 0) return;
  resources.add('CareTeam', 'documentationOf.serviceEvent', {
    status: 'active',
    subject: patient,
    encounter,
    period: period(child(event, 'effectiveTime')),
    participant,
  });
}
