import type { Element } from 'slimdom';
import { child } from './elements.ts';
import { patientOf } from './header/patient.ts';
import { visitOf } from './header/visit.ts';
import { narrativePlaces } from './narrative-places.ts';
import { People } from './people.ts';
import { ResourceList } from './resource-list.ts';
import type { Context } from './section.ts';
import { time } from './times.ts';

/** What the sections of the document `root` share; adds its patient to the resources. */
export function contextOf(root: Element, documentId: string): Context {
  const resources = new ResourceList(documentId);
  const narrative = narrativePlaces(root);
  const people = new People(resources, narrative);
  const patient = patientOf(root, { resources, narrative, people });
  const visit = visitOf(root, resources);
  return {
    documentId,
    resources,
    narrative,
    people,
    patient,
    visit,
    encounter: visit?.reference,
    documentTime: time(child(root, 'effectiveTime')),
    notices: [],
  };
}
