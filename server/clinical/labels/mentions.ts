import type { DataMask } from '../../../contract/brands.ts';
import { labelBit, NO_LABELS, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { readText, toElement, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { isInheritedFrom } from '../store/party-types.ts';
import { normalizeReference } from '../store/references.ts';
import { findPatientNames, isPatient } from './patient-names.ts';
import { findSmallestWhole, toPath, toPointer, type Frame } from './frame.ts';
import type { Pointer } from './locate-members.ts';
import {
  isUnclear,
  listLinks,
  listOtherNames,
  listWrittenVisits,
  mayBeReference,
  mayLink,
  type NamedTarget,
} from './names-of-targets.ts';
import { findInheritedTargets } from './inherited-targets.ts';
import { isAboutMember, isLeftOut, listNamedParties } from './parties.ts';
import {
  BILLED_ELEMENTS,
  BILLS,
  findTargetTypes,
  getServiceLabels,
  getTargetKind,
  type TargetKind,
} from './target-labels.ts';
import { listAddressNames, listServerNames } from './words-of-addresses.ts';

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
  visits?: readonly NamedTarget[];
  /** Who, where or what took part, that it means: the whole resource is as sensitive. */
  parties?: readonly NamedTarget[];
  /** It means who or where, or a visit among others, and is left out alone where that is withheld. */
  isLeftOut?: true;
  /** What of its address may be words, and whether these are of the whole resource. */
  address?: WrittenAddress;
}

/** What of an address may be words: neither types nor ids that are none. */
export interface WrittenAddress {
  names: readonly string[];
  isOfWhole: boolean;
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

function addReference(mentions: Mention[], frame: Frame, patient: ReadonlySet<string>): void {
  const element = frame.node as Element;
  const reference = readText(element['reference']);
  if (typeof element['reference'] !== 'string' && !mayBeReference(element)) return;
  // What is contained adds its labels to the whole.
  if (reference?.startsWith('#') === true) return;
  const address = reference === null ? null : normalizeReference(reference);
  const types = findTypes(frame, address);
  if (types === null) return addUnknown(mentions, frame);
  const target = { element, address, types };
  const kind = isPatient(frame, types, patient) ? 'person' : getTargetKind(types);
  if (kind === 'part' || kind === 'person' || types.includes('Binary')) addUnclear(mentions, frame, address);
  if (types.includes('Binary')) return;
  if (kind === 'person') return addPerson(mentions, frame, target);
  if (kind === 'part' && hasContactName(element))
    mentions.push(toMemberMention(frame, 'display', labelBit('CONTACT_INFO')));
  addTarget(mentions, frame, { ...target, kind });
}

const hasContactName = ({ display }: Element): boolean => CONTACT.test(readText(display) ?? '');

interface FoundTarget {
  element: Element;
  address: string | null;
  types: readonly string[];
}

/** Adds who, where or what an identifier may mean in an element that R4 does not know. */
function addUnknown(mentions: Mention[], frame: Frame): void {
  const parties = listNamedParties(frame.node as Element, { address: null, types: ['Resource'] });
  if (parties.length > 0 && !isLeftOut(toPath(frame)))
    mentions.push({ ...NOTHING, pointer: toPointer(frame), parties });
}

/** Adds the name of a person, or of what else a resource is about: a place, a device. */
function addPerson(mentions: Mention[], frame: Frame, { element, address, types }: FoundTarget): void {
  const labels = toLabelMask(hasContactName(element) ? ['DEMOGRAPHICS', 'CONTACT_INFO'] : ['DEMOGRAPHICS']);
  for (const name of ['display', '_display', 'identifier'])
    if (name in element) mentions.push(toMemberMention(frame, name, labels));
  addNamesBeside(mentions, frame);
  const names = listServerNames(address);
  const named = types.length === 1 ? listNamedParties(element, { address, types }) : [];
  const parties = named.length > 0 && !isLeftOut(toPath(frame)) ? named : [];
  if (names.length + parties.length > 0)
    mentions.push({ ...NOTHING, pointer: toPointer(frame), parties, address: { names, isOfWhole: true } });
}

const NOTHING = { labels: NO_LABELS, target: null, words: [] } as const;

/** Adds a reference to anything but a person: who did something and where is no part that is left out, but makes all as sensitive. */
function addTarget(
  mentions: Mention[],
  frame: Frame,
  { element, address, types, kind }: FoundTarget & { kind: Exclude<TargetKind, 'person'> },
): void {
  const found = findInheritedTargets(frame, { element, address, types, kind });
  const { isLeft, isListed } = found;
  const visits = isListed ? [] : found.visits;
  const parties = isLeft ? [] : found.parties;
  const names = listAddressNames(address);
  const isOfWhole = !isLeft && !isListed && (parties.length > 0 || types.some(isInheritedFrom));
  const common = {
    ...(visits.length > 0 && { visits }),
    ...(parties.length > 0 && { parties }),
    ...(names.length > 0 && { address: { names, isOfWhole } }),
  };
  if (kind === 'part' && !isLeft) {
    if (Object.keys(common).length > 0) mentions.push({ ...NOTHING, pointer: toPointer(frame), ...common });
    return;
  }
  const display = readText(element['display']);
  const [, type, id] = RELATIVE.exec(address ?? '') ?? [];
  const isMember = kind !== 'part' || isAboutMember(found.path);
  const pointer = toPointer(isMember ? findSmallestWhole(frame) : frame);
  const labels = kind === 'part' ? NO_LABELS : kind;
  const left = (isLeft && found.parties.length > 0) || isListed ? { isLeftOut: true as const } : {};
  // What is left out is so whichever of the two leads to it: an address beside the identifier may lead nowhere.
  if (type === undefined || isListed)
    for (const { name, by } of listOtherNames(element, { address, types }))
      mentions.push({ pointer, labels: NO_LABELS, target: name, words: [], by, ...left });
  mentions.push({
    pointer,
    labels,
    target: type === undefined ? null : `${type}/${id}`,
    words: [display, id].filter((word) => typeof word === 'string'),
    ...(display !== null && kind !== 'part' && { named: toPointer(frame) }),
    ...common,
    ...left,
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
