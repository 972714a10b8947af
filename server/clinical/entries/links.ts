import type { ParsedResource } from '../store/found-resource.ts';
import { sortDiagnoses } from './diagnoses.ts';
import { readText } from './element.ts';
import type { EntryLink, LinkRole } from './entry-link.ts';
import { isRelative, readReference, toReferences } from './reference-text.ts';

const ELEMENTS: readonly [LinkRole, readonly string[]][] = [
  ['member', ['hasMember', 'result']],
  ['derived', ['derivedFrom']],
  ['specimen', ['specimen']],
  ['reason', ['reasonReference', 'addresses', 'indication', 'implicated', 'problem']],
  ['order', ['basedOn', 'authorizingPrescription', 'request']],
  ['part', ['partOf']],
  ['device', ['device']],
];

/** Shown in the resource's own words where they stand beside the reference; these are followed all the same. */
const ALWAYS_FOLLOWED = new Set<LinkRole>(['member', 'derived', 'order']);

/** A report of 2,000 results has no more headings than one of 20. */
const MAX_LINKS = 2_000;

/** Collects the references of a resource that explain its entry, or that its entry explains. */
export function collectLinks(resource: ParsedResource): EntryLink[] {
  const all: EntryLink[] = [];
  // Most resources have none of these elements.
  for (const [role, names] of ELEMENTS)
    for (const name of names) if (resource[name] !== undefined) addTargets(all, role, resource[name]);
  if (resource['diagnosis'] !== undefined)
    for (const { condition } of sortDiagnoses(resource['diagnosis'])) addTargets(all, 'reason', condition);
  if (all.length < 2) return all;
  return [...new Map(all.map((link) => [`${link.role} ${link.target}`, link])).values()].slice(0, MAX_LINKS);
}

function addTargets(links: EntryLink[], role: LinkRole, value: unknown): void {
  for (const reference of toReferences(value)) {
    const target = readReference(reference);
    if (target === null || !isRelative(target)) continue;
    if (readText(reference['display']) === null || ALWAYS_FOLLOWED.has(role)) links.push({ role, target });
  }
}
