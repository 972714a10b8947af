import { toElements, type Element } from '../entries/element.ts';

/** Whose code is a medicine. */
const NAMED_BY_CODE = new Set(['Medication', 'MedicationKnowledge', 'AllergyIntolerance']);
const MEDICATION = /^(?:https?:\S{1,200}\/)?Medication[A-Z]?[a-z]*\//;

/** Reads what a member of an element names medicines: some brands count nowhere else. */
export function readDrugNames(element: Element, key: string, drugs: string[]): void {
  switch (key) {
    case 'code':
      if (!NAMED_BY_CODE.has(element['resourceType'] as string)) return;
      break;
    case 'type':
      if (element['resourceType'] !== 'Device') return;
      break;
    case 'reference':
      if (MEDICATION.test(String(element[key]))) drugs.push(...listNames(element));
      return;
    case 'medication':
    case 'medicationCodeableConcept':
    case 'medicationReference':
    case 'productCodeableConcept':
    case 'productReference':
    case 'itemCodeableConcept':
    case 'itemReference':
    case 'productOrService':
    case 'deviceName':
      break;
    default:
      return;
  }
  drugs.push(...listNames(element[key]));
}

/** Lists the names of concepts and references, also of the two that R5 has in a CodeableReference. */
export const listNames = (value: unknown): string[] =>
  toElements(value)
    .flatMap((each) => [each, ...toElements(each['concept']), ...toElements(each['reference'])])
    .flatMap((each) => [each, ...toElements(each['coding'])])
    .flatMap(({ text, display, name }) => [text, display, name].filter((each) => typeof each === 'string'));
