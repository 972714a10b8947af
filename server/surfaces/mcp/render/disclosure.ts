import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { ReferencedResource } from '../../../clinical/queries/details.sql.ts';
import type { DataMask } from '../../../../contract/brands.ts';
import { listCategories } from '../../../consent/access/sensitivity-labels.ts';
import type { Kind } from '../../../clinical/entries/entry.ts';
import type { Disclosure } from '../tool.ts';
import { CATEGORY_BY_KIND, isWithheld } from './withheld-text.ts';

/** An entry that an answer shows, with its day; a group of entries has its first and last day. */
interface DisclosedEntry extends Pick<StoredEntry, 'category'> {
  day?: string | null;
  dayText?: string | null;
  firstDay?: string | null;
  lastDay?: string | null;
}

/** Names the category that entries of a kind belong to where the consent leaves it out, for the audit entry. */
export const listNotShared = (withheld: DataMask, kind: Kind): Pick<Disclosure, 'notShared'> =>
  isWithheld(withheld, CATEGORY_BY_KIND[kind]) ? { notShared: [CATEGORY_BY_KIND[kind]] } : {};

/** Sums up for the audit entry what an answer shows. */
export function buildDisclosure(shown: readonly DisclosedEntry[]): Disclosure {
  const days = shown
    .flatMap((each) => [each.firstDay ?? each.day ?? each.dayText, each.lastDay ?? each.day ?? each.dayText])
    .flatMap((day) => (typeof day === 'string' ? toFullDay(day) : []))
    .sort();
  return {
    categories: [...new Set(shown.map(({ category }) => category))].sort(),
    from: days[0] ?? null,
    until: days.at(-1) ?? null,
    entries: shown.length,
  };
}

/** A Binary is a part of what names it, and is disclosed as that: it requires those categories in place of its own. */
export const toDisclosed = ({
  reference,
  category,
  required_labels: labels,
}: ReferencedResource): DisclosedEntry[] =>
  reference.startsWith('Binary/') && labels !== null
    ? listCategories(labels).map((name) => ({ category: name }))
    : [{ category }];

/** Completes "2021" and "2021-03" to their first day. */
const toFullDay = (day: string): string => `${day}-01-01`.slice(0, 10);
