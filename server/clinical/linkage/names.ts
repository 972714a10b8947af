import { normalizeTitle } from './normalize-value.ts';
import type { ComparedEntry } from './statement.ts';

/** A code without a system is only as good as the name beside it, which is compared anyway. */
const isCoded = (code: string | null): code is string => code !== null && !code.startsWith('|');

/** What else than its kind identifies it: codes, title, identifiers. */
export function collectNames({ title, code, names }: ComparedEntry): string[] {
  const own = [`title ${normalizeTitle(title)}`, ...(isCoded(code) ? [`code ${code}`] : [])];
  return [...new Set([...own, ...(names ?? [])])];
}

/** By code system: what a name in words must not contradict. */
export function groupCodesBySystem(names: readonly string[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const name of names) {
    const [, system, code] = /^code ([^|]*)\|(.*)$/.exec(name) ?? [];
    if (system === undefined || code === undefined) continue;
    const known = codes.get(system);
    if (known) known.add(code);
    else codes.set(system, new Set([code]));
  }
  return codes;
}

interface NamedEntry {
  names: ReadonlySet<string>;
  codes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Two codes of one system are two things, whatever both are called: glucose in blood and in urine. */
export function hasCodeConflict(one: NamedEntry, other: NamedEntry): boolean {
  for (const name of one.names)
    if (other.names.has(name) && (name.startsWith('code ') || name.startsWith('vital '))) return false;
  for (const [system, codes] of one.codes) {
    const theirs = other.codes.get(system);
    if (theirs !== undefined && codes.isDisjointFrom(theirs)) return true;
  }
  return false;
}

/** An identifier counts for what is called the same: documents made from one template share the identifiers of its entries. */
export function hasSharedTitleOrCode(one: NamedEntry, other: NamedEntry): boolean {
  for (const name of one.names)
    if ((name.startsWith('code ') || name.startsWith('title ')) && other.names.has(name)) return true;
  return false;
}
