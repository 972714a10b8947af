import type { EntryBase } from '../entry.ts';
import { categoryOf } from './category.ts';
import { normalizedName, statusCode } from './codeable-concept.ts';
import { text } from './element.ts';
import { otherNames } from './other-names.ts';
import { organizationOf, visitOf } from './reference.ts';
import type { Source } from './source.ts';
import type { WrittenDate } from './written-date.ts';

export interface Facts {
  title: string | null;
  code?: string | null;
  when: WrittenDate;
  /** In the written precision. */
  end?: string | null;
  /** Where the status is not in `status`. */
  status?: string | null;
  current?: boolean;
  groupKey?: string;
  visit?: string | null;
}

/** What every entry says. The category is the resource's own, so that tools and `$everything` never disagree. */
export function entryBase(source: Source, facts: Facts): EntryBase {
  const { resource } = source;
  const title = facts.title ?? `${inWords(resource.resourceType)} without a name`;
  const code = facts.code ?? null;
  return {
    category: categoryOf(resource),
    title,
    code,
    ...facts.when,
    endText: facts.end ?? null,
    status:
      facts.status === undefined
        ? (text(resource['status']) ?? statusCode(resource['status']))
        : facts.status,
    current: facts.current ?? false,
    groupKey: facts.groupKey ?? groupKey(code, title),
    visit: facts.visit === undefined ? visitOf(source) : facts.visit,
    ...namesIn(otherNames(resource, code)),
    ...organizationOf(source),
  };
}

/** Only where there are any: most entries are named by their code alone. */
export const namesIn = (names: readonly string[]): Pick<EntryBase, 'names'> =>
  names.length === 0 ? {} : { names };

/** A code without a system is only as good as the name beside it. */
export function groupKey(code: string | null, title: string): string {
  if (code === null) return `text:${normalizedName(title)}`;
  return code.startsWith('|') ? `${code}|${normalizedName(title)}` : code;
}

/** "MedicationRequest" → "Medication request". */
export function inWords(resourceType: unknown): string {
  const words = (text(resourceType) ?? 'Record').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
