import type { NameComparer } from '../concepts/compare-names.ts';
import { getContradictingName, UNNAMED_KINDS } from '../entries/contradicting-names.ts';
import { KIND_ALONE, NO_NAME, WHEN } from '../entries/entry-base.ts';
import { isCodeItself, isInformativeName, isKeyWithoutCode } from '../entries/group-key.ts';
import { normalizeTitle } from './normalize-value.ts';
import type { ComparedEntry } from './statement.ts';

/**
 * A code without a system is only as good as the name beside it, which is compared anyway. One that stands for anything
 * ("Allergy to substance") is no name at all: two allergies of two sources would be one.
 */
const isCoded = (code: string | null, groupKey: string): code is string =>
  code !== null && !code.startsWith('|') && !isKeyWithoutCode(groupKey);

/** Collects what names an entry besides its kind: title, codes, identifiers. What has no name is one with nothing else. */
export function collectNames({ title, code, names, groupKey }: ComparedEntry): string[] {
  const isNameless = title.endsWith(NO_NAME) || names?.includes(KIND_ALONE) === true;
  const own = [
    ...(isNameless ? [] : [`title ${normalizeTitle(title)}`]),
    ...(isCoded(code, groupKey) ? [`code ${code}${getContradictingName(groupKey)}`] : []),
  ];
  const others = (names ?? []).filter((name) => name !== KIND_ALONE && !name.startsWith(WHEN));
  return [...new Set([...own, ...others])];
}

/** Groups the codes, or the identifiers, among the names by their system: a title that two entries share must not contradict them. */
export function groupBySystem(names: readonly string[], what: 'code' | 'id'): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const name of names) {
    if (!name.startsWith(`${what} `)) continue;
    const [, system, code] = /^\w+ ([^|]*)\|(.*)$/.exec(name) ?? [];
    if (system === undefined || code === undefined) continue;
    const known = codes.get(system);
    if (known) known.add(code);
    else codes.set(system, new Set([code]));
  }
  return codes;
}

/** Whether its title says more than its type and its code. */
const isNamed = ({ entry: { title, code } }: NamedEntry): boolean =>
  isInformativeName(title) && !title.endsWith(NO_NAME) && !isCodeItself(title, code);

interface NamedEntry {
  entry: Pick<ComparedEntry, 'kind' | 'title' | 'code' | 'groupKey'>;
  names: ReadonlySet<string>;
  codes: ReadonlyMap<string, ReadonlySet<string>>;
  /** By their system; none where these do not say which fact it is. */
  identifiers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Two codes of one system are two things, whatever both are called: glucose in blood and glucose in urine. */
export function hasCodeConflict(one: NamedEntry, other: NamedEntry): boolean {
  for (const name of one.names)
    if (other.names.has(name) && (name.startsWith('code ') || name.startsWith('vital '))) return false;
  for (const [system, codes] of one.codes) {
    const theirs = other.codes.get(system);
    if (theirs !== undefined && codes.isDisjointFrom(theirs)) return true;
  }
  return false;
}

/** Whether the names contradict each other, though a code is the same: neither means what the other does, or what the code does. */
export function hasNameConflict(one: NamedEntry, other: NamedEntry, comparer: NameComparer): boolean {
  const { kind, title, groupKey } = one.entry;
  if (UNNAMED_KINDS.includes(kind) || groupKey === other.entry.groupKey) return false;
  if (!isNamed(one) || !isNamed(other) || comparer.agree(title, other.entry.title)) return false;
  const shared = [...one.names].filter((name) => other.names.has(name));
  // One of the eight vital signs has the names that we know it by.
  if (shared.some((name) => name.startsWith('vital '))) return false;
  const codes = shared.flatMap((name) => (name.startsWith('code ') ? name.slice('code '.length) : []));
  return (
    codes.length > 0 &&
    !codes.some(
      (code) => comparer.agreesWithCode(title, code) && comparer.agreesWithCode(other.entry.title, code),
    )
  );
}

/** What every document numbers anew: a UUID of its own for each of its entries is no number of the fact. */
const MADE_UP = new Set(['urn:ietf:rfc:3986']);

/**
 * Whether one system numbers both, and otherwise: two visits of a hospital. Whatever is dated to a day may have been written
 * down twice there; of what has no date nothing else says that it is one.
 */
export function hasIdentifierConflict(one: NamedEntry, other: NamedEntry): boolean {
  const theirs = other.identifiers;
  const shared = [...one.identifiers].filter(([system]) => theirs.has(system) && !MADE_UP.has(system));
  return (
    shared.length > 0 && shared.every(([system, ids]) => ids.isDisjointFrom(theirs.get(system) ?? new Set()))
  );
}

/**
 * An identifier counts only beside a shared title or code: documents made from one template share the identifiers of its entries.
 * For that the title may be one that names nothing by itself, as the class of a visit.
 */
export function hasSharedTitleOrCode(one: NamedEntry, other: NamedEntry): boolean {
  const [title, theirs] = [one.entry.title, other.entry.title];
  if (!title.endsWith(NO_NAME) && normalizeTitle(title) === normalizeTitle(theirs)) return true;
  for (const name of one.names)
    if ((name.startsWith('code ') || name.startsWith('title ')) && other.names.has(name)) return true;
  return false;
}
