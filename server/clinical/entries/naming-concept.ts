import type { ParsedResource } from '../store/found-resource.ts';
import { getPath } from './element.ts';

const DRUG = ['medicationCodeableConcept'];

/**
 * The element that says which thing a resource is about, where that is not `code`. What only says of which kind it is names
 * nothing: the `type` of a dispense ("first fill"), of a claim, a coverage or an account, and any `category`. Two drugs of one
 * day would be one by it.
 */
const NAMING_ELEMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['MedicationRequest', DRUG],
  ['MedicationStatement', DRUG],
  ['MedicationAdministration', DRUG],
  ['MedicationDispense', DRUG],
  ['Immunization', ['vaccineCode']],
  ['ImmunizationRecommendation', ['recommendation.vaccineCode']],
  ['Encounter', ['type']],
  ['EpisodeOfCare', ['type']],
  ['Device', ['type']],
  ['Specimen', ['type']],
  ['Composition', ['type']],
  ['DocumentReference', ['type']],
  ['DocumentManifest', ['type']],
  ['ImagingStudy', ['procedureCode']],
  ['AdverseEvent', ['event']],
  ['BiologicallyDerivedProduct', ['productCode']],
  ['DeviceRequest', ['codeCodeableConcept']],
  ['SupplyRequest', ['itemCodeableConcept']],
  ['SupplyDelivery', ['suppliedItem.itemCodeableConcept']],
  ['NutritionOrder', ['oralDiet.type']],
]);

const CODE = ['code'];

/** Returns the element that names the resource; undefined where another resource does, or nothing. */
export function findConcept(resource: ParsedResource): unknown {
  for (const name of NAMING_ELEMENTS.get(resource.resourceType) ?? CODE) {
    const value = name.includes('.') ? getPath(resource, ...name.split('.')) : resource[name];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Resources about a drug, which they name or refer to. */
export const isAboutDrug = ({ resourceType }: ParsedResource): boolean =>
  NAMING_ELEMENTS.get(resourceType) === DRUG;
