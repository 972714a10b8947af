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
/** The word that says what a thing is: what is behind "with", or in brackets, is something that it has. */
const SOFTWARE =
  /\b(?:software|computer program|mobile app(?:lication)?|(?:electronic )?(?:health|medical) records?|e[hm]r|information system)(?:\s(?:systems?|viewer|app(?:lication)?|module|server|portal|program|package|platform|suite|client))*$/i;
const ITS_OWN = /[([,;]|\s(?:with|without|including|for|of|from|by|on)\s|\s(?:version|release|v\.?)?\s?\d/i;

const isSoftware = (name: string): boolean => SOFTWARE.test((name.split(ITS_OWN, 1)[0] ?? '').trim());

/** What is within a patient, whoever owns it. */
const IMPLANT =
  /implant|pacemaker|defibrillator|stent|prosthe|valve|graft|shunt|intrauterine|intraocular|cochlear|stimulator|catheter|arthroplast|intramedullary|port\b/i;
/** The words of other implants, and of what is worn. */
const WORN =
  /\b(?:(?:replacement|screw|nail|plate|rod|clip|coil|lead|pump|lens|wire|pin|cage|spacer|ring|filter|tube|mesh|anchor|staple|electrode|expander|occluder)(?:s|es)?\b|hearing[ -](?:aid|device|instrument)|glucose[ -](?:monitor|sensor))/i;
/** What has one of these words, and is a tool or stands in a ward. */
const EQUIPMENT =
  /(?<!insulin )\b(?:infusion|syringe|feeding|enteral|breast|volumetric|suction|vacuum) pumps?\b|\b(?:x-?ray|test|sample|collection) tubes?\b|\blead (?:apron|shield)|\b(?:air|hepa) filters?\b|\b(?:applier|cutter|driver|reader|rack|tray|scanner|analy[sz]er)s?$/i;

const isOfABody = (name: string): boolean => IMPLANT.test(name) || (WORN.test(name) && !EQUIPMENT.test(name));

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
  if (codings.some(({ code }) => SOFTWARE_CODES.has(readText(code) ?? ''))) return true;
  const isWorn = names.some((name) => isOfABody(name) && !isSoftware(name));
  return !isWorn && (resource['owner'] !== undefined || names.some(isSoftware));
}
