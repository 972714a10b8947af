import type { DataMask } from '../../../contract/brands.ts';
import { htmlToFullText } from '../../../documents/html/html-to-text.ts';
import {
  combineMasks,
  excludeMask,
  intersectMasks,
  NO_LABELS,
  toLabelMask,
} from '../../consent/access/sensitivity-labels.ts';
import { isOfOther } from '../entries/other-subject.ts';
import { getPath, readText, toArray, toElement, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { OWNER_ELEMENTS } from '../store/owner-elements.ts';
import { listBillParts } from './bill-items.ts';
import { locateMembers, spellBytes, type Pointer } from './locate-members.ts';
import type { Mention } from './mentions.ts';
import type { Redaction } from './redact.ts';
import { BILLS } from './target-labels.ts';

export interface RedactionContext {
  /** What the resource requires: its parts need no more than that. */
  requiredLabels: DataMask;
  /** What a consent must cover for a mention to be shown. */
  getTargetLabels(mention: Mention): DataMask;
}

/** A part of a resource, by its bytes and by the way to it. */
export interface RedactedPart extends Redaction {
  pointer: Pointer;
}

export interface RedactedParts {
  redactions: RedactedPart[];
  /** What the resource requires as a whole, where it has too many such parts or they are too deep inside of it. */
  additionalLabels: DataMask;
}

/** The Provenance of one patient of Synthea names all 3,176 resources. */
const MAX_PARTS = 10_000;
const MAX_DEPTH = 60;
/** Characters of narratives times the parts that are looked for in them: some 0.5 s. */
const MAX_SEARCHED = 2e9;

/** A resource, and what it names. */
export interface MentioningResource {
  resource: ParsedResource;
  mentions: readonly Mention[];
}

/** Returns the parts of a resource that require more than the resource, in the order of its body. */
export function findRedactions(
  {
    resource,
    body,
    mentions,
    claims,
  }: MentioningResource & { body: string; claims?: readonly MentioningResource[] },
  { requiredLabels, getTargetLabels }: RedactionContext,
): RedactedParts {
  const listParts = (named: readonly Mention[], required: DataMask): Mention[] =>
    named.flatMap((mention) => {
      const labels = excludeMask(getTargetLabels(mention), required);
      return labels === NO_LABELS ? [] : [{ ...mention, labels }];
    });
  const parts = listParts(mentions, requiredLabels);
  if (BILLS.has(resource.resourceType)) {
    const answered = claims?.map((claim) => ({ ...claim, parts: listParts(claim.mentions, requiredLabels) }));
    for (const part of listBillParts(resource, parts, answered))
      parts.push({ ...part, target: null, words: [] });
  }
  if (parts.length === 0) return { redactions: [], additionalLabels: NO_LABELS };
  const narratives = listNarratives(resource);
  const searched = narratives.reduce((sum, { div }) => sum + div.length, 0) * parts.length;
  const isTooLong = parts.length > MAX_PARTS || searched > MAX_SEARCHED;
  if (isTooLong || parts.some(({ pointer }) => pointer.length > MAX_DEPTH))
    return {
      redactions: [],
      additionalLabels: parts.map(({ labels }) => labels).reduce(combineMasks, NO_LABELS),
    };
  const byPointer = joinLabels([...parts, ...listNarrativeLabels(narratives, parts)]);
  const located = locateMembers(
    spellBytes(body),
    byPointer.map(({ pointer }) => pointer),
  );
  return {
    redactions: located
      .map(({ index, start, end }) => ({
        start,
        end,
        requiredLabels: byPointer[index]?.labels ?? NO_LABELS,
        pointer: byPointer[index]?.pointer ?? [],
      }))
      .sort((a, b) => a.start - b.start),
    additionalLabels: [
      getListLabels(resource, byPointer),
      getThingLabels(resource, byPointer),
      getOtherSubjectLabels(resource, byPointer),
    ].reduce(combineMasks),
  };
}

interface LabeledPart {
  pointer: Pointer;
  labels: DataMask;
}

/** One part may be named for several reasons, and requires what each of them does. */
function joinLabels(members: readonly LabeledPart[]): LabeledPart[] {
  const joined = new Map<string, { pointer: Pointer; labels: DataMask }>();
  for (const { pointer, labels } of members) {
    const key = JSON.stringify(pointer);
    const known = joined.get(key)?.labels ?? NO_LABELS;
    joined.set(key, { pointer, labels: combineMasks(known, labels) });
  }
  return [...joined.values()];
}

/** Nearly every resource names its visit and its patient; only a narrative that repeats them names them. */
const EVERYWHERE = toLabelMask(['VISITS', 'DEMOGRAPHICS', 'CONTACT_INFO']);

/** What each narrative requires: it is generated from the elements around it, and repeats what they name. */
function listNarrativeLabels(
  narratives: readonly FoundNarrative[],
  parts: readonly Mention[],
): LabeledPart[] {
  return narratives.flatMap(({ scope, div }) => {
    const repeats = findRepeats(div);
    const isWithin = ({ pointer }: Mention): boolean => scope.every((key, depth) => pointer[depth] === key);
    const labels = parts
      .filter(
        (part) =>
          ((part.labels & ~EVERYWHERE) !== 0 && isWithin(part)) || part.words.some((word) => repeats(word)),
      )
      .map((part) => part.labels)
      .reduce(combineMasks, NO_LABELS);
    return labels === NO_LABELS ? [] : [{ pointer: [...scope, 'text'], labels }];
  });
}

interface FoundNarrative {
  /** The way to what it is the narrative of: the resource, a section of it, what it contains. */
  scope: Pointer;
  div: string;
}

function listNarratives(resource: ParsedResource): FoundNarrative[] {
  const found: FoundNarrative[] = [];
  const pending: { node: Element; scope: Pointer }[] = [{ node: resource, scope: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, scope } = next;
    const div = readText(getPath(node['text'], 'div'));
    if (div !== null) found.push({ scope, div });
    for (const name of ['section', 'contained'])
      for (const [index, value] of toArray(node[name]).entries()) {
        const each = toElement(value);
        if (each && !Array.isArray(value)) pending.push({ node: each, scope: [...scope, name, index] });
      }
  }
  return found;
}

/** Lists that FHIR requires a member of: without any, the resource is none, and says nothing. */
const REQUIRED_LISTS: Readonly<Record<string, string>> = {
  DocumentManifest: 'content',
  Linkage: 'item',
  Provenance: 'target',
};

/** Whether a part is a member of a list of the resource, in it, or all of the list. */
const isOfMember = ({ pointer }: LabeledPart, name: string, index: number): boolean =>
  pointer[0] === name && (pointer[1] === index || pointer.length === 1);

/** What all members of such a list require: a consent that withholds it would leave none of them. */
function getListLabels(resource: ParsedResource, parts: readonly LabeledPart[]): DataMask {
  const name = REQUIRED_LISTS[resource.resourceType];
  if (name === undefined) return NO_LABELS;
  const ofList = parts.filter(({ pointer }) => pointer[0] === name);
  const byMember = Map.groupBy(ofList, ({ pointer }) => pointer[1]);
  const members = toArray(resource[name]).map((_, index) =>
    [...(byMember.get(index) ?? []), ...(byMember.get(undefined) ?? [])]
      .map(({ labels }) => labels)
      .reduce(combineMasks, NO_LABELS),
  );
  return members.length === 0 ? NO_LABELS : members.reduce(intersectMasks);
}

/** Elements that say which thing a resource is of: without it, that something withheld was used or ordered on a day is left. */
const THINGS: Readonly<Record<string, readonly string[]>> = {
  DeviceRequest: ['code', 'codeReference'],
  DeviceUseStatement: ['device'],
};

/** In R5 the reference stands in the element. */
const OF_THING: ReadonlySet<unknown> = new Set([undefined, 'reference', 'concept']);

const getThingLabels = ({ resourceType }: ParsedResource, parts: readonly LabeledPart[]): DataMask =>
  parts
    .filter(
      ({ pointer: [name, inner] }) =>
        THINGS[resourceType]?.includes(String(name)) === true && OF_THING.has(inner),
    )
    .map(({ labels }) => labels)
    .reduce(combineMasks, NO_LABELS);

const ABOUT: ReadonlySet<unknown> = new Set([...OWNER_ELEMENTS, 'focus', 'extension']);

/**
 * What the parts require that say of whom or what a resource is, where that is not the patient: without them, the heart rate of a fetus
 * would be the patient's.
 */
function getOtherSubjectLabels(resource: ParsedResource, parts: readonly LabeledPart[]): DataMask {
  const about = parts.filter(({ pointer }) => pointer.length <= 2 && ABOUT.has(pointer[0]));
  const isClear = about.length === 0 || !isOfOther(resource) || isOfOther(withoutMembers(resource, about));
  return isClear ? NO_LABELS : about.map(({ labels }) => labels).reduce(combineMasks, NO_LABELS);
}

/** Leaves elements out, or members of their lists. */
function withoutMembers(resource: ParsedResource, parts: readonly LabeledPart[]): ParsedResource {
  const names = new Set(parts.map(({ pointer }) => String(pointer[0])));
  const left = [...names].map((name) => {
    const members = toArray(resource[name]).filter(
      (_, index) => !parts.some((part) => isOfMember(part, name, index)),
    );
    return [name, members.length === 0 ? undefined : members] as const;
  });
  return { ...resource, ...Object.fromEntries(left) };
}

const WORDS = /[\p{L}\p{N}]+/gu;

const toWords = (text: string): string[] => text.toLowerCase().match(WORDS) ?? [];

/** Says of words whether a narrative has them: as they are written, or each by itself ("Shaw, <b>Amy</b>" for "Amy Shaw"). */
function findRepeats(narrative: string): (words: string) => boolean {
  const written = narrative.toLowerCase();
  let known: ReadonlySet<string> | undefined;
  return (words) => {
    if (written.includes(words.toLowerCase())) return true;
    known ??= new Set([...toWords(htmlToFullText(narrative)), ...toWords(narrative)]);
    const each = toWords(words);
    return each.length > 0 && each.every((word) => known?.has(word));
  };
}
