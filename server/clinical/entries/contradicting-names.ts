import type { DataMask } from '../../../contract/brands.ts';
import type { NameComparer } from '../concepts/compare-names.ts';
import { findCodeName } from './code-names.ts';
import { normalizeName } from './codeable-concept.ts';
import type { Kind } from './entry.ts';
import { isCodeItself, isInformativeName } from './group-key.ts';

/** A name that entries of one kind have under one key, and what a consent must cover for them to be shown. */
export interface SharedKey {
  kind: Kind;
  /** The key without what separates contradicting names. */
  base: string;
  title: string;
  /** `system|code`. */
  code: string;
  requiredLabels: DataMask;
  /** The key that is stored. */
  groupKey: string;
}

/** Stands between a key and the name that contradicts the others under it; no code and no name has it. */
export const NAME_SEPARATOR = '\u001f';

/** The end of a key that separates it from the others of its code; empty for most. */
export const getContradictingName = (groupKey: string): string => {
  const at = groupKey.indexOf(NAME_SEPARATOR);
  return at < 0 ? '' : groupKey.slice(at);
};

/** What a visit, a note or a document is of is no name of it. */
export const UNNAMED_KINDS: readonly Kind[] = ['visit', 'note', 'document'];

/** Names under one key that mean one thing. */
interface Cluster {
  key: string;
  members: SharedKey[];
}

/** Of a code that stands for anything, no more names are compared: the others are one only where they are equal. */
const MAX_CLUSTERS = 20;
const MAX_MEMBERS = 4;

/**
 * Gives the names under one code that contradict each other keys of their own: the one that the code is called keeps the
 * code's. A name is compared only with those that whoever sees its entry sees too, so that what a consent withholds could as
 * well not be there. Returns the keys that change.
 */
export function separateContradicting(keys: readonly SharedKey[], names: NameComparer): SharedKey[] {
  const shared = [...Map.groupBy(keys, ({ kind, base }) => `${kind} ${base}`).values()];
  return shared.flatMap((each) => separate(each, names));
}

function separate(keys: readonly SharedKey[], names: NameComparer): SharedKey[] {
  const [{ base, code }] = keys as readonly [SharedKey];
  const own = nameCode(code, names);
  const coded: Cluster = { key: base, members: [] };
  const clusters = [coded];
  const ranked = keys
    .filter(({ title }) => isInformativeName(title) && !isCodeItself(title, code))
    .map((key) => ({ ...key, isCoded: own.isName(key.title) }))
    .sort(compareKeys);
  for (const key of ranked) {
    const cluster = key.isCoded ? coded : findCluster(clusters, key, names);
    if (cluster) cluster.members.push(key);
    else {
      // Of a code that nobody knows, the first name is its name.
      const isFirst = !own.isKnown && coded.members.length === 0;
      if (isFirst) coded.members.push(key);
      else clusters.push({ key: `${base}${NAME_SEPARATOR}${normalizeName(key.title)}`, members: [key] });
    }
  }
  const wanted = new Map(
    clusters.flatMap(({ key, members }) => members.map((each) => [identify(each), key])),
  );
  return keys.flatMap((each) => {
    const groupKey = wanted.get(identify(each)) ?? base;
    return groupKey === each.groupKey ? [] : { ...each, groupKey };
  });
}

const identify = ({ title, requiredLabels }: SharedKey): string => `${requiredLabels} ${title}`;

/** What a code is called by the vocabulary, or by our own table. */
function nameCode(code: string, names: NameComparer) {
  const bar = code.lastIndexOf('|');
  const name = findCodeName(code.slice(0, bar), code.slice(bar + 1));
  return {
    isKnown: name !== null || names.knowsCode(code),
    isName: (title: string): boolean =>
      names.agreesWithCode(title, code) || (name !== null && names.agree(title, name)),
  };
}

/** Those that require least of a consent first, then those that the code is called; the longest names lead to most others. */
const compareKeys = (
  one: SharedKey & { isCoded: boolean },
  other: SharedKey & { isCoded: boolean },
): number =>
  countLabels(one) - countLabels(other) ||
  one.requiredLabels - other.requiredLabels ||
  Number(other.isCoded) - Number(one.isCoded) ||
  other.title.length - one.title.length ||
  (one.title < other.title ? -1 : 1);

const countLabels = ({ requiredLabels }: SharedKey): number =>
  requiredLabels.toString(2).replaceAll('0', '').length;

/** Finds the names that this one means the same as, among those that a consent which covers it covers too. */
function findCluster(clusters: readonly Cluster[], key: SharedKey, names: NameComparer): Cluster | undefined {
  const isVisible = ({ requiredLabels }: SharedKey): boolean => (requiredLabels & ~key.requiredLabels) === 0;
  const name = normalizeName(key.title);
  // The first name of a cluster is part of its key, and so the same whoever has it.
  const equal = clusters.find(
    ({ members: [first] }) => first !== undefined && normalizeName(first.title) === name,
  );
  return (
    equal ??
    clusters.slice(0, MAX_CLUSTERS).find(({ members }) =>
      members
        .filter(isVisible)
        .slice(0, MAX_MEMBERS)
        .some(({ title }) => names.agree(title, key.title)),
    )
  );
}
