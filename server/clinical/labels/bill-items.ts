import { RestrictedScope } from '../../../contract/data-categories.ts';
import type { DataMask } from '../../../contract/brands.ts';
import {
  combineMasks,
  FETCHED_RESTRICTED,
  intersectMasks,
  NO_LABELS,
  toLabelMask,
} from '../../consent/access/sensitivity-labels.ts';
import { toElement, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import type { Pointer } from './locate-members.ts';

/** A part of a bill, and what a consent must cover for it to be shown. */
interface LabeledPart {
  pointer: Pointer;
  labels: DataMask;
}

/** The lists of a bill whose members have numbers, and the elements of an item that point to these (R4, STU3). */
const POINTERS: ReadonlyMap<string, string> = new Map([
  ['diagnosisSequence', 'diagnosis'],
  ['diagnosisLinkId', 'diagnosis'],
  ['procedureSequence', 'procedure'],
  ['procedureLinkId', 'procedure'],
  ['informationSequence', 'supportingInfo'],
  ['informationLinkId', 'information'],
  ['supportingInfoSequence', 'supportingInfo'],
  ['careTeamSequence', 'careTeam'],
  ['careTeamLinkId', 'careTeam'],
  ['itemSequence', 'item'],
  ['sequenceLinkId', 'item'],
]);

const NUMBERED_LISTS = new Set<string | number | undefined>(POINTERS.values());

/** Whether it is a list of a bill to whose members items point. */
export const isNumberedList = (name: string | number | undefined): boolean => NUMBERED_LISTS.has(name);

const POINTER_NAMES = [...POINTERS.keys()];
/** A member's name may be written with escapes. */
const POINTER = new RegExp(`"(?:${POINTER_NAMES.join('|')})"|\\\\u00`);

/** Whether a bill, as JSON, may have an item that points to a member of a list, or to an item: others go with none of these. */
export const mayPoint = (body: string): boolean => POINTER.test(body);

/** Whether an item of a bill points to a member of a list, or to an item of what the bill answers. */
export const hasPointers = (bill: ParsedResource): boolean =>
  ITEM_LISTS.some((list) =>
    toList(bill[list]).some((item) => POINTER_NAMES.some((name) => toElement(item)?.[name] !== undefined)),
  );

const CLASSES = toLabelMask(RestrictedScope.options);
const RESTRICTED = combineMasks(CLASSES, FETCHED_RESTRICTED);

/** What members of lists require, by list and number. */
type NumberedLabels = ReadonlyMap<string, ReadonlyMap<string, DataMask>>;

/**
 * Lists what must go from a bill with the diagnoses, procedures and other members in `parts` that are of a restricted class: the
 * items that are for them alone, with what was done and for how much, and in other items the numbers that point to them.
 * Categories need no such rule: an item has that of what it bills. `claims` are what it answers, with their own parts: items point to
 * members of these, too, and those of a response to their items.
 */
export function listBillParts(
  bill: ParsedResource,
  parts: readonly LabeledPart[],
  claims: readonly AnsweredClaim[] = [],
): LabeledPart[] {
  const members = claims.map((claim) => withoutOwn(numberMembers(claim.resource, claim.parts), bill));
  const own = listItemParts(bill, joinNumbered([numberMembers(bill, parts), ...members]));
  // An item that is added or that an answer is about goes with the item that it names.
  const numbered = joinNumbered([
    numberMembers(bill, own),
    ...claims.map(({ resource, parts: named }) =>
      withoutOwn(numberMembers(resource, listBillParts(resource, named)), bill),
    ),
  ]);
  return numbered.has('item') ? [...own, ...listItemParts(bill, numbered)] : own;
}

/** A claim, and what of it requires more than the answer. */
interface AnsweredClaim {
  resource: ParsedResource;
  parts: readonly LabeledPart[];
}

/** What a bill numbers itself, its items mean. */
const withoutOwn = (numbered: NumberedLabels, bill: ParsedResource): NumberedLabels =>
  new Map(
    [...numbered].map(([list, members]) => {
      const own = new Set(toList(bill[list]).map((member) => String(toElement(member)?.['sequence'])));
      return [list, new Map([...members].filter(([number]) => !own.has(number)))] as const;
    }),
  );

function joinNumbered(all: readonly NumberedLabels[]): NumberedLabels {
  const joined = new Map<string, Map<string, DataMask>>();
  for (const [list, members] of all.flatMap((numbered) => [...numbered])) {
    const known = joined.get(list) ?? new Map<string, DataMask>();
    for (const [number, labels] of members)
      known.set(number, combineMasks(known.get(number) ?? NO_LABELS, labels));
    joined.set(list, known);
  }
  return joined;
}

/** Numbers the members of lists that are left out as a whole for their class. */
function numberMembers(bill: ParsedResource, parts: readonly LabeledPart[]): NumberedLabels {
  const numbered = new Map<string, Map<string, DataMask>>();
  for (const { pointer, labels } of parts) {
    const [list, index] = pointer;
    const classes = intersectMasks(labels, RESTRICTED);
    if (classes === NO_LABELS || pointer.length !== 2 || typeof list !== 'string') continue;
    const number = toElement(toList(bill[list])[Number(index)])?.['sequence'];
    if (typeof number !== 'number' && typeof number !== 'string') continue;
    const members = numbered.get(list) ?? new Map<string, DataMask>();
    members.set(String(number), combineMasks(members.get(String(number)) ?? NO_LABELS, classes));
    numbered.set(list, members);
  }
  return numbered;
}

const ITEM_LISTS = ['item', 'addItem', 'error'];

function listItemParts(bill: ParsedResource, numbered: NumberedLabels): LabeledPart[] {
  if (numbered.size === 0) return [];
  return ITEM_LISTS.flatMap((list) =>
    toList(bill[list]).flatMap((item, index) =>
      listPointerParts(toElement(item) ?? {}, [list, index], numbered),
    ),
  );
}

/** With the nulls in it, since members are named by their places. */
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

function listPointerParts(item: Element, at: Pointer, numbered: NumberedLabels): LabeledPart[] {
  return [...POINTERS].flatMap(([name, list]) => {
    const members = numbered.get(list);
    if (members === undefined || item[name] === undefined) return [];
    const isList = Array.isArray(item[name]);
    const numbers = isList ? toList(item[name]) : [item[name]];
    const masks = numbers.map((number) => members.get(String(number)) ?? NO_LABELS);
    const pointers = masks.map((labels, index) => ({
      pointer: [...at, name, ...(isList ? [index] : [])],
      labels,
    }));
    const isForThemAlone = masks.length > 0 && !masks.includes(NO_LABELS);
    return [...(isForThemAlone ? [{ pointer: at, labels: joinAll(masks) }] : []), ...pointers].filter(
      ({ labels }) => labels !== NO_LABELS,
    );
  });
}

/**
 * What an item requires that is for restricted members alone. Of different classes it cannot require that one of them be shared: it
 * requires all of them, and stays away where one is withheld.
 */
function joinAll(masks: readonly DataMask[]): DataMask {
  const common = masks.reduce(intersectMasks);
  return intersectMasks(common, CLASSES) === NO_LABELS ? masks.reduce(combineMasks) : common;
}
