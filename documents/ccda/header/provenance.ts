import type { Element } from 'slimdom';
import { getChildren, getChild, selectFirst } from '../elements.ts';
import type { FhirObject, Reference } from '../fhir-values.ts';
import { buildAbsentExtension } from '../null-flavors.ts';
import type { Context } from '../section.ts';
import { buildDateTime, toInstant } from '../times.ts';

const PARTICIPATION = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type';

/**
 * Adds one Provenance for all that was read from the document: its `entity` is the document, its agents are the authors
 * and the custodian. `recorded` is an instant, so it is absent with a reason where the document has only a day; the day is
 * in `occurred`.
 */
export function addProvenance(root: Element, { resources, people, documentId, documentTime }: Context): void {
  const agents = [
    ...getChildren(root, 'author').map((author) =>
      buildAgent('author', people.resolveAssigned(getChild(author, 'assignedAuthor'))),
    ),
    buildAgent(
      'custodian',
      people.resolveOrganization(
        selectFirst(root, 'custodian/assignedCustodian/representedCustodianOrganization'),
      ),
    ),
  ].filter((one) => one !== undefined);
  const recorded = toInstant(documentTime);
  resources.add('Provenance', '', {
    target: resources.items.map(({ resource }) => ({
      reference: `${resource.resourceType}/${resource.id}`,
    })),
    ...buildDateTime('occurredDateTime', documentTime),
    ...(recorded === undefined
      ? { _recorded: { extension: [buildAbsentExtension(undefined)] } }
      : { recorded }),
    agent: agents.length > 0 ? agents : [{ who: { extension: [buildAbsentExtension(undefined)] } }],
    entity: [{ role: 'source', what: { reference: `DocumentReference/${documentId}` } }],
  });
}

const buildAgent = (code: string, who: Reference | undefined): FhirObject | undefined =>
  who && { type: { coding: [{ system: PARTICIPATION, code }] }, who };
