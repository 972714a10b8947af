import type { ParsedResource } from '../store/found-resource.ts';
import { categorizeResource } from './category.ts';
import { readText, toElement, toElements } from './element.ts';
import type { RecordKind } from './other-kinds.ts';

/** Types that have a kind of their own among those of `get_other_records`. */
const TYPES_BY_KIND: [RecordKind, string][] = [
  ['care_team', 'CareTeam'],
  ['care_plan', 'CarePlan'],
  ['goal', 'Goal'],
  ['device', 'Device DeviceUseStatement'],
  ['family_history', 'FamilyMemberHistory'],
  ['imaging', 'ImagingStudy Media'],
  [
    'order',
    'ServiceRequest DeviceRequest NutritionOrder VisionPrescription SupplyRequest RequestGroup CommunicationRequest',
  ],
  ['coverage', 'Coverage Claim ExplanationOfBenefit'],
  ['document', 'List DocumentManifest Consent'],
];
const KIND_BY_TYPE = new Map(
  TYPES_BY_KIND.flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const)),
);

/** Returns the kind of an entry that its title and words describe. An Observation or report on images is one of imaging. */
export function getRecordKind(resource: ParsedResource): RecordKind {
  if (isRecordingSystem(resource)) return 'other';
  return (
    KIND_BY_TYPE.get(resource.resourceType) ??
    (categorizeResource(resource) === 'IMAGING' ? 'imaging' : 'other')
  );
}

const OF_A_PATIENTS_DEVICE = [
  'patient',
  'status',
  'type',
  'udiCarrier',
  'serialNumber',
  'lotNumber',
  'distinctIdentifier',
];

/** "Application program software" and "Software", where they have no name. */
const SOFTWARE_CODES = new Set(['706689003', '706687001']);
const SOFTWARE =
  /\b(?:software|computer program|(?:electronic )?(?:health|medical) records?|e[hm]r|information system)\b/i;
/** What is within a patient, whoever owns it. */
const IMPLANT =
  /implant|pacemaker|defibrillator|stent|prosthe|valve|graft|shunt|intrauterine|intraocular|cochlear|stimulator|catheter|port\b/i;

/**
 * Whether a Device is the program that wrote a document, which a C-CDA names as an author, or belongs to an organization: it is
 * nobody's device. R4 has a `patient` where "the device is affixed to a person", and implants of many systems lack it: of what
 * has none, only software and what has an owner is left out, besides what says nothing of itself.
 */
function isRecordingSystem(resource: ParsedResource): boolean {
  if (resource.resourceType !== 'Device' || resource['patient'] !== undefined) return false;
  if (OF_A_PATIENTS_DEVICE.every((name) => resource[name] === undefined)) return true;
  const codings = toElements(toElement(resource['type'])?.['coding']);
  const names = [
    readText(toElement(resource['type'])?.['text']),
    ...codings.map(({ display }) => readText(display)),
    ...toElements(resource['deviceName']).map(({ name }) => readText(name)),
  ].flatMap((name) => name ?? []);
  if (names.some((name) => IMPLANT.test(name))) return false;
  return (
    resource['owner'] !== undefined ||
    codings.some(({ code }) => SOFTWARE_CODES.has(readText(code) ?? '')) ||
    names.some((name) => SOFTWARE.test(name))
  );
}
