import type { Element } from 'slimdom';
import { children, child, first } from '../elements.ts';
import type { FhirObject, Reference } from '../fhir-values.ts';
import { absentExtension } from '../null-flavors.ts';
import type { Context } from '../section.ts';
import { dated, instantOf } from '../times.ts';

const PARTICIPATION = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type';

/**
 * One Provenance for all that was read from the document: it comes from the document (`entity`), by those who wrote and
 * those who keep it. `recorded` is an instant, so it is absent with a reason where the document tells but a day; the day
 * is in `occurred`.
 */
export function provenance(root: Element, { resources, people, documentId, documentTime }: Context): void {
  const agents = [
    ...children(root, 'author').map((author) =>
      agent('author', people.assigned(child(author, 'assignedAuthor'))),
    ),
    agent(
      'custodian',
      people.organization(first(root, 'custodian/assignedCustodian/representedCustodianOrganization')),
    ),
  ].filter((one) => one !== undefined);
  const recorded = instantOf(documentTime);
  resources.add('Provenance', '', {
    target: resources.placed.map(({ resource }) => ({
      reference: `${resource.resourceType}/${resource.id}`,
    })),
    ...dated('occurredDateTime', documentTime),
    ...(recorded === undefined ? { _recorded: { extension: [absentExtension(undefined)] } } : { recorded }),
    agent: agents.length > 0 ? agents : [{ who: { extension: [absentExtension(undefined)] } }],
    entity: [{ role: 'source', what: { reference: `DocumentReference/${documentId}` } }],
  });
}

const agent = (code: string, who: Reference | undefined): FhirObject | undefined =>
  who && { type: { coding: [{ system: PARTICIPATION, code }] }, who };
