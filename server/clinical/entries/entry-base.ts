import type { EntryBase } from './entry.ts';
import { categorizeResource } from './category.ts';
import { normalizeName, readStatusCode } from './codeable-concept.ts';
import { readText } from './element.ts';
import { collectAlternateNames } from './alternate-names.ts';
import { resolveOrganization, findVisitReference } from './reference.ts';
import type { EntryInput } from './entry-builder.ts';
import type { PartialDate } from './partial-date.ts';

export interface EntryFacts {
  title: string | null;
  code?: string | null;
  when: PartialDate;
  /** In the written precision. */
  end?: string | null;
  /** Where the status is not in `status`. */
  status?: string | null;
  current?: boolean;
  groupKey?: string;
  visit?: string | null;
}

/** What every entry says. The category is the resource's own, so that tools and `$everything` never disagree. */
export function buildEntryBase(input: EntryInput, facts: EntryFacts): EntryBase {
  const { resource } = input;
  const title = facts.title ?? `${formatResourceType(resource.resourceType)} without a name`;
  const code = facts.code ?? null;
  return {
    category: categorizeResource(resource),
    title,
    code,
    ...facts.when,
    endText: facts.end ?? null,
    status:
      facts.status === undefined
        ? (readText(resource['status']) ?? readStatusCode(resource['status']))
        : facts.status,
    current: facts.current ?? false,
    groupKey: facts.groupKey ?? buildGroupKey(code, title),
    visit: facts.visit === undefined ? findVisitReference(input) : facts.visit,
    ...toNamesField(collectAlternateNames(resource, code)),
    ...resolveOrganization(input),
  };
}

/** Only where there are any: most entries are named by their code alone. */
export const toNamesField = (names: readonly string[]): Pick<EntryBase, 'names'> =>
  names.length === 0 ? {} : { names };

/** A code without a system is only as good as the name beside it. */
export function buildGroupKey(code: string | null, title: string): string {
  if (code === null) return `text:${normalizeName(title)}`;
  return code.startsWith('|') ? `${code}|${normalizeName(title)}` : code;
}

/** "MedicationRequest" → "Medication request". */
export function formatResourceType(resourceType: unknown): string {
  const words = (readText(resourceType) ?? 'Record').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
