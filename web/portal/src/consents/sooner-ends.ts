import { formatWhenEnds } from '../../../kit/format-date.ts';
import { joinTitles } from '../../../kit/format-list.ts';
import {
  ALL_CATEGORIES,
  SENSITIVITIES,
  type Category,
  type Sensitivity,
} from '../../../patient/data/groups.ts';
import type { TextContext } from './consent-name.ts';
import type { Part } from './limited-classes.ts';

interface SoonerEnd {
  end: string;
  names: (Category | Sensitivity)[];
}

/** Lists what ends before the rest, the first end first; of each part what no later one has. */
export function listSoonerEnds(parts: readonly Part[]): SoonerEnd[] {
  const sorted = parts.toSorted((one, other) => Date.parse(one.end) - Date.parse(other.end));
  const labels: readonly (Category | Sensitivity)[] = [...ALL_CATEGORIES, ...SENSITIVITIES];
  return sorted.flatMap((part) => {
    const laterParts = sorted.filter(({ end }) => Date.parse(end) > Date.parse(part.end));
    if (laterParts.length === 0) return [];
    const later = laterParts.flatMap(listLabels);
    const own = listLabels(part);
    const names = labels.filter((name) => own.includes(name) && !later.includes(name));
    return names.length === 0 ? [] : [{ end: part.end, names }];
  });
}

const listLabels = ({ categories, sensitivities }: Part): string[] => [...categories, ...sensitivities];

/** Says what ends before the rest: "Health problems: until 3:08 PM"; an empty list where all ends together. */
export const formatSoonerEnds = (
  { parts, since }: { parts: readonly Part[]; since: string },
  { words: { data, myData }, language }: TextContext,
): string[] =>
  listSoonerEnds(parts).map(({ end, names }) =>
    myData.partEnds(
      joinTitles(names.map((name) => ({ ...data.categories, ...data.sensitivities })[name].name)),
      formatWhenEnds({ end, since }, language),
    ),
  );
