import type { ParsedResource } from '../store/found-resource.ts';
import { OWNER_ELEMENTS } from '../store/owner-elements.ts';
import { formatConcept, normalizeName, parseCodings, SNOMED } from './codeable-concept.ts';
import { joinPresent, presentFields, readText, readTexts, toElements, type Element } from './element.ts';
import { formatItself } from './entry-base.ts';
import type { BuildContext, EntryInput } from './entry-builder.ts';
import type { Entry } from './entry.ts';
import { formatMeasure } from './measure.ts';
import type { ObservationDetail } from './observation-detail.ts';
import { resolveDisplay } from './reference.ts';
import { findContained, readReference, toReferences } from './reference-text.ts';

/** What R4 lets a resource be about besides the patient, and what it is called where nothing names it. */
const OTHERS = new Map([
  ['BiologicallyDerivedProduct', 'a product of a body'],
  ['Device', 'a device'],
  ['Group', 'a group'],
  ['HealthcareService', 'a service'],
  ['Location', 'a place'],
  ['Organization', 'an organization'],
  ['Practitioner', 'a practitioner'],
  ['PractitionerRole', 'a practitioner'],
  ['RelatedPerson', 'a related person'],
  ['Substance', 'a substance'],
]);

const UNNAMED = 'somebody or something else';

/**
 * Names whom or what a resource is about, where that is known not to be the patient: its subject is a group, a place or a device, or an
 * Observation has another focus (https://hl7.org/fhir/R4/observation-definitions.html#Observation.focus). Null of nearly all.
 */
function nameOtherSubject(input: EntryInput): string | null {
  const { resource } = input;
  const subject = nameSubject(input);
  if (subject !== null || resource.resourceType !== 'Observation') return subject;
  return nameFocus(input);
}

function nameSubject(input: EntryInput): string | null {
  for (const name of OWNER_ELEMENTS) {
    if (input.resource[name] === undefined) continue;
    const subjects = toReferences(input.resource[name]);
    if (subjects.length === 0) continue;
    const isOther = subjects.every((each) => {
      const type = findType(each, input.resource);
      if (type === 'Device') return isDeviceOfNobody(each, input.resource);
      return type !== null && OTHERS.has(type);
    });
    return isOther ? nameAll(subjects, input) : null;
  }
  return null;
}

const LITERAL = /(?:^|\/)([A-Z][A-Za-z]{1,63})\/[A-Za-z0-9.-]{1,64}$/;

function findType(reference: Element, container: ParsedResource): string | null {
  const inside = findContained(reference, container);
  if (inside !== null) return readText(inside['resourceType']);
  const literal = readReference(reference);
  const written = literal === null ? undefined : LITERAL.exec(literal)?.[1];
  return written ?? readText(reference['type']);
}

/**
 * A Device has a `patient` where it is affixed to one. Of one that stands apart that is not known: most that measure a patient
 * are the patient's, but for what is called a control.
 */
function isDeviceOfNobody(reference: Element, resource: ParsedResource): boolean {
  const inside = findContained(reference, resource);
  if (inside !== null) return inside['patient'] === undefined;
  return namesOther(readText(reference['display']) ?? '');
}

const OTHER_WORDS =
  /(?<!\p{L})(?:f[o]?etus(?:es)?|f[o]?etal|fötus|feto|embr(?:yo|ión)|(?:live|living)?born|newborn|neonat\w*|neugeborene\w*|recién nacid\w*|baby|bebé|infant|säugling|twin|child|kind|hij[oa]|son|daughter|donor|donante|spender\w*|mother|madre|mutter|father|padre|vater|parent|partner|spouse|husband|wife|sibling|brother|sister|control|qc|analy[sz]er|simulator|phantom|calibrator)(?!\p{L})/iu;

/** Whether words name somebody or something else: a fetus, a donor, a relative, a control. */
const namesOther = (words: string): boolean => OTHER_WORDS.test(words);

/** Extensions for a focus that is no resource ("fetus"), and for one in R3. */
const FOCUS_EXTENSIONS = new Set([
  'http://hl7.org/fhir/StructureDefinition/observation-focusCode',
  'http://hl7.org/fhir/StructureDefinition/observation-focal-subject',
]);

function nameFocus(input: EntryInput): string | null {
  const { resource } = input;
  if (resource['focus'] === undefined && resource['extension'] === undefined) return null;
  const extensions = toElements(resource['extension']).filter(({ url }) =>
    FOCUS_EXTENSIONS.has(readText(url) ?? ''),
  );
  const references = [
    ...toReferences(resource['focus']),
    ...extensions.flatMap((each) => toReferences(each['valueReference'])),
  ].filter((each) => Object.keys(each).length > 0);
  const concepts = extensions.flatMap(({ valueCodeableConcept: concept }) =>
    isPatientConcept(concept) ? [] : (formatConcept(concept) ?? []),
  );
  if (references.some((each) => isSubject(each, resource))) return null;
  const others = references.filter((each) => isOtherFocus(each, resource));
  return others.length === 0 ? joinPresent(concepts, ', ') : nameAll(others, input, concepts);
}

const SELF = /^(?:the )?(?:patient|self|subject)(?: \(person\))?$/i;

const isPatientConcept = (concept: unknown): boolean =>
  parseCodings(concept).some(({ system, code }) => system === SNOMED && code === '116154003') ||
  SELF.test(formatConcept(concept) ?? '');

/** Whether a focus is known to be another than the patient; what is a part of the record is none, nor what names nobody. */
function isOtherFocus(focus: Element, resource: ParsedResource): boolean {
  const [subject] = toReferences(resource['subject']);
  const type = findType(focus, resource);
  const named = readText(focus['display']);
  if (type === 'Patient') return subject !== undefined && isOtherPatient(focus, subject);
  if (type !== null && type !== 'Device') return OTHERS.has(type);
  if (named === null) return false;
  if (SELF.test(named) || isSameName(named, readText(subject?.['display']))) return false;
  return namesOther(named);
}

function isOtherPatient(focus: Element, subject: Element): boolean {
  const [one, other] = [focus, subject].map((each) => LITERAL.exec(readReference(each) ?? '')?.[0]);
  if (one !== undefined && other !== undefined) return toShort(one) !== toShort(other);
  const [named, own] = [focus, subject].map((each) => readText(each['display']));
  return Boolean(named && own) && !SELF.test(named ?? '') && !isSameName(named, own);
}

/** "Smith, Ann" is "Ann Smith". */
const isSameName = (one: string | null | undefined, other: string | null | undefined): boolean =>
  toSortedWords(one) === toSortedWords(other);

const toSortedWords = (name: string | null | undefined): string =>
  (normalizeName(name ?? '').match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(' ');

/** Whether a focus is the patient whom the resource names as its subject. */
function isSubject(focus: Element, resource: ParsedResource): boolean {
  const [subject] = toReferences(resource['subject']);
  const [one, other] = [focus, subject].map((each) => readText(each?.['reference'])?.replace(VERSION, ''));
  return one !== undefined && other !== undefined && toShort(one) === toShort(other);
}

const VERSION = /\/_history\/[^/]*$/;

/** `Type/id`, also of an address: a sender may write one of both. */
const toShort = (reference: string): string =>
  /[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9.-]{1,64}$/.exec(reference)?.[0] ?? reference;

function nameAll(references: readonly Element[], input: EntryInput, more: readonly string[] = []): string {
  const names = references.map((each) => {
    const type = findType(each, input.resource) ?? '';
    const unnamed = type === 'Patient' ? 'another patient' : (OTHERS.get(type) ?? UNNAMED);
    return resolveDisplay(each, input) ?? unnamed;
  });
  return [...new Set([...more, ...names])].join(', ');
}

/** What a row of its own kind would say besides the name. */
const SAID = [
  'intent',
  'verification',
  'clinicalStatus',
  'notDoneReason',
  'statusReason',
  'severity',
  'stage',
  'onset',
  'reactions',
  'dosage',
  'dose',
  'reason',
  'bodySite',
  'outcome',
  'note',
];

/**
 * Makes of entries that are not about the patient ones of no kind of the patient's facts: "Heart rate (of: Fetus)" is neither a
 * vital sign nor the latest of anything, and one with no other. A note stays one.
 */
export function markOtherSubject(input: EntryInput, entries: Entry[]): Entry[] {
  if (entries.length === 0) return entries;
  const named = nameOtherSubject(input) ?? (isWholeOfOther(input.context) ? UNNAMED : null);
  if (named === null) return entries;
  const itself = formatItself(input);
  return entries.map(({ names: _names, ...entry }): Entry => {
    const base = {
      ...entry,
      title: `${entry.title} (of: ${named})`,
      groupKey: `${entry.groupKey.startsWith('not:') ? 'not:' : ''}one:${itself}`,
      current: false,
    };
    return base.kind === 'note'
      ? base
      : { ...base, kind: 'other', detail: { type: input.resource.resourceType, text: formatDetail(entry) } };
  });
}

/** Whether a resource is known not to be about the patient. */
export const isOfOther = (resource: ParsedResource): boolean =>
  nameOtherSubject({ resource, context: { resolve: () => null } }) !== null;

/** What is not covered by a consent is not named. */
const isWholeOfOther = ({ whole }: BuildContext): boolean => whole !== undefined && isOfOther(whole);

const MEASURES = new Set<string>(['lab', 'vital', 'social_history', 'survey']);

function formatDetail({ kind, detail }: Pick<Entry, 'kind' | 'detail'>): string | null {
  if ('text' in detail) return detail.text;
  if (MEASURES.has(kind)) return formatMeasure(detail as ObservationDetail);
  const parts = presentFields(
    Object.fromEntries(
      SAID.map((name) => [name, readTexts((detail as unknown as Element)[name]).join(', ') || null]),
    ),
  );
  return joinPresent(Object.values(parts), '; ');
}
