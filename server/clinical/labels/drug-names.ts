import { htmlToFullText } from '../../../documents/html/html-to-text.ts';
import { formatConcepts } from '../entries/codeable-concept.ts';
import { readText, toArray, toElement, toElements, type Element } from '../entries/element.ts';
import { namesPerson, PEOPLE, TO_TYPE, type Place } from './names-of-people.ts';
import { namesMedicines } from './words/medicine-lists.ts';

/** Names of medicines, and texts that have them on lines of their own. */
export interface DrugNames {
  drugs: string[];
  drugLines: string[];
}

/** Resources that are a medicine or a device, or about one. */
const OF_MEDICINES =
  /^(?:Medication|Device|Supply|Substance|AllergyIntolerance|Medicinal|PackagedProduct|AdministrableProduct|ManufacturedItem|RegulatedAuthorization|ClinicalUse|Ingredient|BiologicallyDerived|AdverseEvent|DetectedIssue|ChargeItem)/;
const TO_MEDICINE =
  /^(?:\S{1,200}\/)?(?:Medication|Device|Supply|Substance|AllergyIntolerance|Medicinal|DetectedIssue)[A-Za-z]*\//;

/** Elements that name medicines, devices or products, in whatever resource, of each version of FHIR. */
const MEDICINES: ReadonlySet<string> = new Set(
  [
    'medication medicationCodeableConcept medicationReference productCodeableConcept productReference product',
    'itemCodeableConcept itemReference productOrService productOrServiceEnd service deviceName device udi',
    'substance substanceCodeableConcept substanceReference usedCode usedReference used manipulated',
    'codeCodeableConcept codeReference orderDetail prescription originalPrescription priorPrescription implicated',
    'authorizingPrescription eventHistory instance instanceCodeableConcept instanceReference suppliedItem deviceReference',
    'activeIngredient additiveCodeableConcept ingredientCodeableConcept definition modelNumber suspectEntity',
  ].flatMap((line) => line.split(' ')),
);

/** Elements that have a list of what is of any kind, named by a reference that leads nowhere. */
const LISTED: ReadonlySet<string> = new Set([
  'item',
  'entry',
  'detail',
  'focus',
  'basedOn',
  'target',
  'about',
]);

/** Elements that say in words what a resource is about. */
const TEXTS: ReadonlySet<string> = new Set(
  'text display name title description div valueString synonym productName'.split(' '),
);

/** Elements of references to places. */
const PLACE =
  /location|organization|destination|manufacturer|pharmacy|facility|encounter|context|costCenter/i;

/** Reads what a member of an element names medicines: some brands count nowhere else. */
export function readDrugNames(element: Element, key: string, place: Place & { found: DrugNames }): void {
  const { name, owner, found } = place;
  const value = element[key];
  if (TEXTS.has(key) && (OF_MEDICINES.test(owner) || isPlan(key, owner)) && !namesOther(element, key, place))
    found.drugLines.push(
      ...toArray(value)
        .filter((each) => typeof each === 'string')
        .map(key === 'div' ? htmlToFullText : String),
    );
  switch (key) {
    case 'code':
      if (OF_MEDICINES.test(owner)) found.drugs.push(...listNames(value));
      else if (isOrdered(name, owner)) found.drugLines.push(...listNames(value));
      return;
    case 'type':
    case 'reference':
      if (TO_MEDICINE.test(`${String(value)}/`)) found.drugs.push(...listNames(element));
      if (key === 'type' && owner === 'Device') found.drugs.push(...listNames(value));
      return;
    case 'display':
      if (LISTED.has(name) && !namesOther(element, key, place)) found.drugLines.push(String(value));
      return;
    case 'item':
      if (name !== '' && namesMedicines(readText(element['text']) ?? ''))
        found.drugs.push(...listAnswers(value));
      if (OF_MEDICINES.test(owner)) found.drugs.push(...listNames(value));
      return;
    case 'answer':
      if (namesMedicines(readText(element['text']) ?? '')) found.drugs.push(...listValues(value));
      return;
    case 'valueString':
    case 'valueCodeableConcept':
    case 'valueCoding':
      if (formatConcepts(element['code']).some(namesMedicines)) found.drugs.push(...listValues(element));
      return;
    case 'text':
      readNarrative(element, found);
      return;
    default:
      if (MEDICINES.has(key)) found.drugs.push(...listNames(value));
  }
}

/** Whether a text names somebody, a place, or whatever else a reference leads to. */
function namesOther(element: Element, key: string, place: Place): boolean {
  if (namesPerson(element, key, place)) return true;
  if (key !== 'display') return false;
  const address = readText(element['reference']) ?? `${readText(element['type']) ?? ''}/`;
  return (
    PEOPLE.has(place.name) || PLACE.test(place.name) || (TO_TYPE.test(address) && !TO_MEDICINE.test(address))
  );
}

/** A step of a plan or a task by its title. */
const isPlan = (key: string, owner: string): boolean =>
  (key === 'title' || key === 'description') &&
  /^(?:RequestGroup|RequestOrchestration|PlanDefinition|ActivityDefinition|CarePlan|Task)$/.test(owner);

const ORDERED: ReadonlySet<string> = new Set(['detail', 'supportingInfo', 'information']);

/** What is ordered, planned or billed: a service, a medicine or a device. */
const isOrdered = (name: string, owner: string): boolean =>
  ORDERED.has(name) ||
  /^(?:ServiceRequest|ProcedureRequest|DeviceRequest|Task|ActivityDefinition)$/.test(owner);

/** Reads the narrative of a section that has medicines. */
function readNarrative(element: Element, { drugLines }: DrugNames): void {
  const div = readText(toElement(element['text'])?.['div']);
  const titles = [element['title'], ...formatConcepts(element['code'])];
  if (div !== null && titles.some((each) => typeof each === 'string' && namesMedicines(each)))
    drugLines.push(htmlToFullText(div));
}

/** Lists the answers to the parts of a question: "Name", "Dose". */
const listAnswers = (items: unknown): string[] =>
  toElements(items).flatMap(({ answer }) => listValues(answer));

/** Lists what answers say: texts, codes and references. */
const listValues = (answers: unknown): string[] =>
  toElements(answers).flatMap((each) => [
    ...listNames(each['valueString']),
    ...['valueCoding', 'valueCodeableConcept', 'valueReference'].flatMap((name) => listNames(each[name])),
  ]);

const ADDRESS = /^(?:https?|urn):/i;

/** Lists the names of concepts and references, also of the two that R5 has in a CodeableReference. */
export const listNames = (value: unknown): string[] => [
  ...(Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === 'string' && !ADDRESS.test(each),
  ),
  ...toElements(value)
    .flatMap((each) => [each, ...toElements(each['concept']), ...toElements(each['reference'])])
    .flatMap((each) => [each, ...toElements(each['coding'])])
    .flatMap(({ text, display, name }) => [text, display, name].filter((each) => typeof each === 'string')),
];
