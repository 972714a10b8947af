import type { ParsedResource } from '../found-resource.ts';
import { codeKey, conceptText, RXNORM } from './codeable-concept.ts';
import { contained, organizationIn, referenceText } from './reference-text.ts';
import { at, element, elements, joined, text } from './element.ts';
import { humanName } from './human-name.ts';

/** What others see of a resource when they refer to it. */
export interface OwnLabel {
  label: string | null;
  /** Where its organization is to be looked up, as written. */
  organizationReference: string | null;
  /** The organization's name, where the resource itself tells it. */
  organizationDisplay: string | null;
  /** `system|code`, RxNorm before others. */
  code: string | null;
}

const PEOPLE = new Set(['Patient', 'Practitioner', 'RelatedPerson', 'Person']);
const NAMED_BY = [
  'code',
  'vaccineCode',
  'type',
  'serviceType',
  'class',
  'title',
  'name',
  'description',
  'category',
];

export function ownLabel(resource: ParsedResource): OwnLabel {
  const organization = resource.resourceType === 'Organization' ? null : organizationIn(resource);
  return {
    label: label(resource),
    organizationReference: organization && referenceText(organization),
    organizationDisplay: organizationName(resource, organization),
    code: codeKey(resource['code'], [RXNORM]),
  };
}

function organizationName(resource: ParsedResource, organization: unknown): string | null {
  if (resource.resourceType === 'Organization') return text(resource['name']);
  return text(at(organization, 'display')) ?? text(contained(organization, resource)?.['name']);
}

function label(resource: ParsedResource): string | null {
  const type = resource.resourceType;
  if (PEOPLE.has(type)) return humanName(resource['name']);
  if (type === 'Organization' || type === 'Location')
    return text(resource['name']) ?? text(resource['description']);
  if (type === 'PractitionerRole') {
    return (
      text(at(resource, 'practitioner', 'display')) ??
      conceptText(resource['code']) ??
      conceptText(resource['specialty'])
    );
  }
  if (type === 'Medication') return conceptText(resource['code']) ?? ingredients(resource);
  if (type === 'Device') return text(at(resource, 'deviceName', 'name')) ?? conceptText(resource['type']);
  for (const name of NAMED_BY) {
    const said = conceptText(resource[name]) ?? text(element(resource[name])?.['text']);
    if (said !== null) return said;
  }
  return null;
}

/** A compounded drug has no code of its own (9 of the drugs contained in the specification's examples). */
function ingredients(resource: ParsedResource): string | null {
  const names = elements(resource['ingredient']).map(
    (each) =>
      conceptText(each['itemCodeableConcept']) ??
      text(at(each, 'itemReference', 'display')) ??
      conceptText(contained(each['itemReference'], resource)?.['code']),
  );
  return joined(names, ' + ');
}
