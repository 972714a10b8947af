import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { getChild, getChildren, selectFirst } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import type { Context } from '../section.ts';
import { toPeriod } from '../times.ts';

/** Adds the performers of the documented period (`documentationOf/serviceEvent`) as a CareTeam. */
export function addServiceTeam(
  root: Element,
  { resources, people, narrative, patient, encounter }: Context,
): void {
  const event =
    root.localName === 'documentationOf'
      ? getChild(root, 'serviceEvent')
      : selectFirst(root, 'documentationOf/serviceEvent');
  const participant = getChildren(event, 'performer').flatMap((performer): FhirObject[] => {
    const entity = getChild(performer, 'assignedEntity');
    const member = people.resolveAssigned(entity);
    if (member === undefined) return [];
    const role =
      toCodeableConcept(getChild(performer, 'functionCode'), narrative) ??
      toCodeableConcept(getChild(entity, 'code'), narrative);
    return [{ role: role && [role], member, period: toPeriod(getChild(performer, 'time')) }];
  });
  if (participant.length === 0) return;
  resources.add('CareTeam', 'documentationOf.serviceEvent', {
    status: 'active',
    subject: patient,
    encounter,
    period: toPeriod(getChild(event, 'effectiveTime')),
    participant,
  });
}
