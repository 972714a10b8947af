import { joinTitles } from '../../../kit/format-list.ts';
import {
  ALL_CATEGORIES,
  SENSITIVITIES,
  type Category,
  type Sensitivity,
} from '../../../patient/data/groups.ts';
import type { TextContext } from './consent-name.ts';

/** A part of what is shared, with an end of its own. */
export interface Part {
  categories: readonly string[];
  sensitivities: readonly string[];
  /** An instant. */
  end: string;
}

interface LimitedClass {
  sensitivity: Sensitivity;
  /** Those of which it is shared. */
  categories: Category[];
}

/** Lists the classes that are shared of some of the shared categories alone, because no part has both; all of a consent without parts. */
export function listLimitedClasses(parts: readonly Part[]): LimitedClass[] {
  const shared = ALL_CATEGORIES.filter((name) => parts.some(({ categories }) => categories.includes(name)));
  return SENSITIVITIES.flatMap((sensitivity) => {
    const having = parts.filter(({ sensitivities }) => sensitivities.includes(sensitivity));
    const categories = shared.filter((name) => having.some((part) => part.categories.includes(name)));
    return having.length === 0 || categories.length === shared.length ? [] : [{ sensitivity, categories }];
  });
}

/** Says of which categories such a class is shared: "Mental health: only in Lab results". */
export const formatLimitedClasses = (
  parts: readonly Part[],
  { words: { data, myData } }: TextContext,
): string[] =>
  listLimitedClasses(parts).map(({ sensitivity, categories }) =>
    myData.onlyIn(
      data.sensitivities[sensitivity].name,
      joinTitles(categories.map((name) => data.categories[name].name)),
    ),
  );
