import type { DataMask } from '../../../contract/brands.ts';
import { labelBit, NO_LABELS, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { readText, toElement, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { normalizeReference } from '../store/references.ts';
import type { Pointer } from './locate-members.ts';
import {
  isUnclear,
  listLinks,
  listNamedVisits,
  listOtherNames,
  listWrittenVisits,
  mayBeReference,
  mayLink,
  type NamedVisit,
} from './names-of-targets.ts';
import { BILLED_ELEMENTS, BILLS, findTargetTypes, getServiceLabels, getTargetKind } from './target-labels.ts';

/** A part of a resource that names something of another category. */
export interface Mention {
  /** What is left out with it. */
  pointer: Pointer;
  /** What a consent must cover for it to be shown, as far as the mention itself says. */
  labels: DataMask;
  /**
   * `Type/id`, where it is a reference that may point into the record: then the target's own labels count. Of a reference by
   * an identifier, or of a search, the name that this makes.
   */
  target: string | null;
  /** How it names its target, where that is no reference which the record knows to be open until the target comes. */
  by?: 'identifier' | 'link' | 'narrative';
  /** Its words, as a narrative may repeat them. */
  words: readonly string[];
  /** The way to the reference, where it calls its target something. */
  named?: Pointer;
  /** The visits that it means, where its target may be one: several only of a search. */
  visits?: readonly NamedVisit[];
}

/** An element, and the way to it. */
interface Frame {
  node: object;
  key: string | number;
  parent: Frame | null;
}

/**
 * Lists what a resource names of other categories: by reference, whatever type may stand there, by a code in place of one, and by
 * the codes of a bill.
 */
export function listMentions(resource: ParsedResource): Mention[] {
  const isBill = BILLS.has(resource.resourceType);
  const patient = findPatientNames(resource);
  const mentions: Mention[] = [];
  const pending: Frame[] = [{ node: resource, key: '', parent: null }];
  for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
    const { node } = frame;
    if (!Array.isArray(node)) {
      addReference(mentions, frame, patient);
      addConcept(mentions, frame);
      if (isBill) addBilled(mentions, frame);
    }
    pushMembers(pending, { mentions, parent: frame });
  }
  return withoutRepeatedLinks(mentions);
}

function pushMembers(pending: Frame[], { mentions, parent }: { mentions: Mention[]; parent: Frame }): void {
  const { node } = parent;
  const visit = (value: unknown, key: string | number): void => {
    if (typeof value === 'object' && value !== null) pending.push({ node: value, key, parent });
    else if (typeof value === 'string' && mayLink(value)) addLink(mentions, { value, key, parent });
  };
  if (Array.isArray(node)) for (const [key, value] of (node as unknown[]).entries()) visit(value, key);
  else for (const key in node) visit((node as Element)[key], key);
}

/** Strings that are read elsewhere, and the addresses of what is inside of the resource. */
const NO_LINKS: ReadonlySet<string | number> = new Set([
  'reference',
  'fullUrl',
  'data',
  'contentType',
  'unit',
]);

/** Adds what a string names that is the address of a resource; the narrative names all that it has a link to. */
function addLink(
  mentions: Mention[],
  { value, key, parent }: { value: string; key: string | number; parent: Frame },
): void {
  if (key === 'div')
    for (const target of listLinks(value))
      mentions.push({ pointer: toPointer(parent), labels: NO_LABELS, target, words: [], by: 'narrative' });
  if (key === 'div' || NO_LINKS.has(key) || (key === 'url' && isExtension(parent))) return;
  for (const target of listLinks(value)) {
    const pointer = toPointer(findSmallestWhole({ node: parent.node, key, parent }));
    mentions.push({ pointer, labels: NO_LABELS, target, words: [], by: 'link' });
  }
}

/** The address of an extension names its definition. */
const isExtension = ({ parent }: Frame): boolean =>
  parent?.key === 'extension' || parent?.key === 'modifierExtension';

/** A narrative that repeats a reference is left out with it. */
function withoutRepeatedLinks(mentions: Mention[]): Mention[] {
  if (!mentions.some(({ by }) => by === 'narrative')) return mentions;
  const referenced = new Set(mentions.flatMap(({ by, target }) => (by === undefined ? target : [])));
  return mentions.filter(({ by, target }) => by !== 'narrative' || !referenced.has(target));
}

const RELATIVE = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.*)?$/;
const TYPED = /(?:^|\/)([A-Z][A-Za-z]{1,63})(?:\/[A-Za-z0-9.-]{1,64}(?:\/_history\/.{0,100})?$|\?)/;

/** The elements that say whom a resource is about, and what they call that person: addresses and names. */
const ABOUT: ReadonlySet<string | number> = new Set(['subject', 'patient', 'beneficiary', 'for']);

function findPatientNames(resource: ParsedResource): ReadonlySet<string> {
  const names = new Set<string>();
  for (const element of ABOUT) {
    const { reference, display } = toElement(resource[element]) ?? {};
    for (const name of [readText(reference), readText(display)]) if (name !== null) names.add(toPlain(name));
  }
  return names;
}

const toPlain = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, ' ');

/**
 * Whether a reference names the patient: as whom the resource is about, whatever else FHIR lets it be about (a device, a group),
 * or by the same address or name, wherever somebody is named.
 */
function isPatient(
  { key, node, parent }: Frame,
  types: readonly string[],
  patient: ReadonlySet<string>,
): boolean {
  const name = typeof key === 'string' ? key : (parent?.key ?? '');
  if (types.includes('Patient') && ABOUT.has(name)) return true;
  const { reference, display } = node as Element;
  return (
    getTargetKind(types) === 'part' &&
    [readText(reference), readText(display)].some((text) => text !== null && patient.has(toPlain(text)))
  );
}

function addReference(mentions: Mention[], frame: Frame, patient: ReadonlySet<string>): void {
  const element = frame.node as Element;
  const reference = readText(element['reference']);
  if (typeof element['reference'] !== 'string' && !mayBeReference(element)) return;
  // What is contained adds its labels to the whole.
  if (reference?.startsWith('#') === true) return;
  const address = reference === null ? null : normalizeReference(reference);
  const types = findTypes(frame, address);
  if (types === null) return;
  const kind = isPatient(frame, types, patient) ? 'person' : getTargetKind(types);
  if (kind === 'part' || kind === 'person' || types.includes('Binary')) addUnclear(mentions, frame, address);
  if (types.includes('Binary')) return;
  const display = readText(element['display']);
  if (kind === 'part') {
    if (display !== null && CONTACT.test(display))
      mentions.push(toMemberMention(frame, 'display', labelBit('CONTACT_INFO')));
    return;
  }
  if (kind === 'person') {
    const hasContact = display !== null && CONTACT.test(display);
    const labels = toLabelMask(hasContact ? ['DEMOGRAPHICS', 'CONTACT_INFO'] : ['DEMOGRAPHICS']);
    for (const name of ['display', '_display', 'identifier'])
      if (name in element) mentions.push(toMemberMention(frame, name, labels));
    addNamesBeside(mentions, frame);
    return;
  }
  const [, type, id] = RELATIVE.exec(address ?? '') ?? [];
  const pointer = toPointer(findSmallestWhole(frame));
  const visits = listNamedVisits(element, { address, types });
  if (type === undefined)
    for (const { name, by } of listOtherNames(element, { address, types }))
      mentions.push({ pointer, labels: NO_LABELS, target: name, words: [], by });
  mentions.push({
    pointer,
    labels: kind,
    target: type === undefined ? null : `${type}/${id}`,
    words: [display, id].filter((word) => typeof word === 'string'),
    ...(display !== null && { named: toPointer(frame) }),
    ...(visits.length > 0 && { visits }),
  });
}

/** Elements that call the person something of whom a reference beside them is. */
const NAMES_BESIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ['Account.subject', ['name']],
  ['AuditEvent.agent.who', ['name', 'altId']],
  ['AuditEvent.entity.what', ['name']],
]);

function addNamesBeside(mentions: Mention[], frame: Frame): void {
  const names = NAMES_BESIDE.get(toPath(frame)) ?? [];
  const owner = Array.isArray(frame.parent?.node) ? frame.parent.parent : frame.parent;
  if (owner === null) return;
  for (const name of names)
    if (name in owner.node) mentions.push(toMemberMention(owner, name, labelBit('DEMOGRAPHICS')));
}

/** Adds what else the reference to a person or a Binary may mean where it is written as none is (`Condition/7/Patient/1`). */
function addUnclear(mentions: Mention[], frame: Frame, address: string | null): void {
  if (!isUnclear(address)) return;
  const pointer = toPointer(findSmallestWhole(frame));
  for (const target of listLinks(address))
    mentions.push({ pointer, labels: NO_LABELS, target, words: [], by: 'link' });
  const visits = listWrittenVisits(address);
  if (visits.length > 0) mentions.push({ pointer, labels: NO_LABELS, target: null, words: [], visits });
}

/** The types that a reference may point to; null where the element is none. */
function findTypes(frame: Frame, reference: string | null): string[] | null {
  const written = TYPED.exec(reference ?? '')?.[1] ?? readText((frame.node as Element)['type']);
  if (reference !== null) return written ? [written] : (findTargetTypes(toPath(frame)) ?? ['Resource']);
  const types = findTargetTypes(toPath(frame)) ?? findVisitTypes(frame);
  // A type and an identifier are a reference also where R4 knows of none.
  const isReference = types !== null || 'identifier' in (frame.node as Element);
  return isReference && written && /^[A-Z][A-Za-z]+$/.test(written) ? [written] : types;
}

/** Elements that name visits in other versions of FHIR than R4, also where it has none of the name. */
const VISIT_ELEMENTS = new Set<string | number>(['encounter', 'context']);

const findVisitTypes = ({ node, key, parent }: Frame): string[] | null =>
  'identifier' in node && VISIT_ELEMENTS.has(typeof key === 'number' ? (parent?.key ?? '') : key)
    ? ['Encounter', 'EpisodeOfCare']
    : null;

/** A telephone number or an e-mail address, in the name of somebody. */
const CONTACT = /[^\s@]@[^\s@]+\.[a-z]{2,}|\d(?:[\s()./-]{0,3}\d){6,}/i;

/** Adds a code that stands where R4 has a reference alone: in R5 either may (CodeableReference). */
function addConcept(mentions: Mention[], frame: Frame): void {
  if (toElement((frame.node as Element)['concept']) === null) return;
  const types = findTargetTypes(toPath(frame));
  const kind = types === null ? 'part' : getTargetKind(types);
  if (kind !== 'part' && kind !== 'person')
    mentions.push({ pointer: toPointer(findSmallestWhole(frame)), labels: kind, target: null, words: [] });
}

const toMemberMention = (frame: Frame, name: string, labels: DataMask): Mention => ({
  pointer: [...toPointer(frame), name],
  labels,
  target: null,
  words: [readText((frame.node as Element)[name])].filter((word) => word !== null),
});

/** Lists that say more than what their members refer to. */
const KEPT_LISTS = new Set<string | number>(['section', 'note']);

/**
 * The element that is left out with a reference: the member of a list that is about it (a visit's diagnosis with its rank,
 * which has no meaning without it; the activity of a plan with what it gives), else the reference alone.
 */
function findSmallestWhole(frame: Frame): Frame {
  const { parent } = frame;
  if (frame.key === 'productReference' && parent?.key === 'detail' && parent.parent !== null)
    return parent.parent;
  const isAlone = typeof frame.key === 'string' && parent !== null && typeof parent.key === 'number';
  if (!isAlone || KEPT_LISTS.has(parent.parent?.key ?? '') || 'resourceType' in parent.node) return frame;
  return parent;
}

function addBilled(mentions: Mention[], frame: Frame): void {
  const element = frame.node as Element;
  if ('productOrService' in element)
    mentions.push({
      pointer: toPointer(frame),
      labels: getServiceLabels(element['productOrService']),
      target: null,
      words: [],
    });
  for (const name of Object.keys(element)) {
    const labels = BILLED_ELEMENTS.get(name);
    if (labels !== undefined)
      mentions.push({ pointer: [...toPointer(frame), name], labels, target: null, words: [] });
  }
}

function toPointer(frame: Frame): Pointer {
  const pointer: (string | number)[] = [];
  for (let at: Frame | null = frame; at?.parent; at = at.parent) pointer.push(at.key);
  return pointer.toReversed();
}

/** "Encounter.diagnosis.condition": from the resource that holds it, without positions. */
function toPath(frame: Frame): string {
  const names: string[] = [];
  for (let at: Frame | null = frame; at !== null; at = at.parent) {
    const type = (at.node as Element)['resourceType'];
    if (typeof type === 'string') return [type, ...names.toReversed()].join('.');
    if (typeof at.key === 'string') names.push(at.key);
  }
  return names.toReversed().join('.');
}
