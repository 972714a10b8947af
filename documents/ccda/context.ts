import type { Element } from 'slimdom';
import { getChild } from './elements.ts';
import { addPatient } from './header/patient.ts';
import { reserveVisit } from './header/visit.ts';
import { indexNarrative } from './narrative-index.ts';
import { People } from './people.ts';
import { ResourceList } from './resource-list.ts';
import type { Context } from './section.ts';
import { toTime } from './times.ts';

/** What the sections of the document `root` share; adds its patient to the resources. */
export function createContext(root: Element, documentId: string): Context {
  const resources = new ResourceList(documentId);
  const narrative = indexNarrative(root);
  const people = new People(resources, narrative);
  const patient = addPatient(root, { resources, narrative, people });
  const visit = reserveVisit(root, resources);
  return {
    documentId,
    resources,
    narrative,
    people,
    patient,
    visit,
    encounter: visit?.reference,
    documentTime: toTime(getChild(root, 'effectiveTime')),
    notices: [],
  };
}
