import type { ParsedResource } from '../store/found-resource.ts';
import { formatConcept, RXNORM } from './codeable-concept.ts';
import { formatDrugTitle } from './drug-strength.ts';
import { findConcept, isAboutDrug } from './naming-concept.ts';
import { isInError } from './objection.ts';
import { readAsR4 } from './read-as-r4.ts';
import { formatTitle, isInformativeName, toInformativeCodeKey } from './group-key.ts';
import { findContained, findOrganization, isRelative, readReference } from './reference-text.ts';
import { getPath, toElement, toElements, joinPresent, readText, readTexts, type Element } from './element.ts';

/** What entries of other resources show of a resource that they refer to. */
export interface ResourceDisplay {
  display: string | null;
  /** The reference to its organization, as written. */
  organizationReference: string | null;
  /** The organization's name, where the resource itself holds it. */
  organizationDisplay: string | null;
  /** `system|code`, RxNorm before others. */
  code: string | null;
}

const PEOPLE = new Set(['Patient', 'Practitioner', 'RelatedPerson', 'Person']);
const NAMING_ELEMENTS = [
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

/** What was entered in error is shown by nothing that refers to it. */
const NOTHING_SHOWN: ResourceDisplay = {
  display: null,
  organizationReference: null,
  organizationDisplay: null,
  code: null,
};

export function buildDisplay(written: ParsedResource): ResourceDisplay {
  const resource = readAsR4(written);
  if (isInError(resource)) return NOTHING_SHOWN;
  const organization = resource.resourceType === 'Organization' ? null : findOrganization(resource);
  return {
    display: formatDisplay(resource),
    organizationReference: organization && readReference(organization),
    organizationDisplay: findOrganizationName(resource, organization),
    code: toInformativeCodeKey(resource['code'], [RXNORM]),
  };
}

function findOrganizationName(resource: ParsedResource, organization: unknown): string | null {
  if (resource.resourceType === 'Organization') return readText(resource['name']);
  return (
    readText(getPath(organization, 'display')) ?? readText(findContained(organization, resource)?.['name'])
  );
}

function formatDisplay(resource: ParsedResource): string | null {
  const type = resource.resourceType;
  if (PEOPLE.has(type)) return formatHumanName(resource['name']);
  if (type === 'Organization' || type === 'Location')
    return readText(resource['name']) ?? readText(resource['description']);
  if (type === 'PractitionerRole') {
    return (
      readText(getPath(resource, 'practitioner', 'display')) ??
      formatConcept(resource['code']) ??
      formatConcept(resource['specialty'])
    );
  }
  if (type === 'Medication') return formatMedication(resource);
  if (isAboutDrug(resource)) return nameDrug(resource);
  if (type === 'Device')
    return readText(getPath(resource, 'deviceName', 'name')) ?? formatConcept(resource['type']);
  for (const name of NAMING_ELEMENTS) {
    const words = formatConcept(resource[name]) ?? readText(toElement(resource[name])?.['text']);
    if (words !== null) return words;
  }
  return null;
}

/** Names an order, a dispense or a dose by its drug, as far as it says that itself; never by what kind of them it is. */
function nameDrug(resource: ParsedResource): string | null {
  const reference = resource['medicationReference'];
  const inside = findContained(reference, resource);
  const named = formatDrugTitle(findConcept(resource));
  if (named !== null || (inside !== null && isInError(inside))) return named;
  return readText(getPath(reference, 'display')) ?? (inside && formatMedication(inside as ParsedResource));
}

/** A code that says nothing gives way to the ingredients; null where those are other resources of the record. */
function formatMedication(resource: ParsedResource): string | null {
  const name = formatDrugTitle(resource['code']);
  if (isInformativeName(name)) return name;
  return findIngredientReferences(resource).length > 0 ? null : (formatIngredients(resource) ?? name);
}

/** Returns the `Type/id` of ingredients that only the Medications and Substances referred to can name. */
export const findIngredientReferences = (medication: ParsedResource): string[] =>
  toElements(medication['ingredient']).flatMap((each) => {
    const reference = readReference(each['itemReference']);
    const isNamed = nameIngredient(each, medication) !== null;
    return isNamed || reference === null || !isRelative(reference) ? [] : reference;
  });

/** Names a drug by its ingredients, of which `findName` knows those that are resources of the record. */
export const formatCompound = (
  medication: ParsedResource,
  findName: (reference: string) => string | null,
): string | null => formatIngredients(medication, findName) ?? formatTitle(medication['code']);

/** A compounded drug has no code of its own (9 of the drugs contained in the specification's examples). */
function formatIngredients(
  medication: ParsedResource,
  findName: (reference: string) => string | null = () => null,
): string | null {
  const names = toElements(medication['ingredient']).map(
    (each) => nameIngredient(each, medication) ?? findName(readReference(each['itemReference']) ?? ''),
  );
  return joinPresent(names, ' + ');
}

function nameIngredient(ingredient: Element, medication: ParsedResource): string | null {
  const inside = findContained(ingredient['itemReference'], medication);
  const named = formatConcept(ingredient['itemCodeableConcept']);
  if (named !== null || (inside !== null && isInError(inside))) return named;
  return readText(getPath(ingredient, 'itemReference', 'display')) ?? formatConcept(inside?.['code']);
}

/** Formats a HumanName: "Dr. Ardelle Crooks", from the text or the parts; official names before others. */
function formatHumanName(value: unknown): string | null {
  const all = toElements(value);
  const name =
    all.find((each) => each['use'] === 'official') ?? all.find((each) => each['use'] !== 'old') ?? all[0];
  if (!name) return readText(value);
  const parts = [
    ...readTexts(name['prefix']),
    ...readTexts(name['given']),
    ...readTexts(name['family']),
    ...readTexts(name['suffix']),
  ];
  return readText(name['text']) ?? joinPresent(parts, ' ');
}
