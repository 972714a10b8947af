import type { ParsedResource } from '../store/found-resource.ts';
import { categorizeResource } from './category.ts';
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

/** Whether a Device is the program that wrote a document, which a C-CDA names as an author: it is nobody's device. */
const isRecordingSystem = (resource: ParsedResource): boolean =>
  resource.resourceType === 'Device' && OF_A_PATIENTS_DEVICE.every((name) => resource[name] === undefined);
