import { normalizeName } from '../../../clinical/entries/codeable-concept.ts';
import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import { join } from './markdown.ts';
import { formatReference } from './reference-text.ts';
import { buildRows, compareNewestFirst } from './summary-rows.ts';

type Group = EntryGroup<'condition'> | EntryGroup<'allergy'>;

/** A group of which the record says elsewhere that it is not so. */
export type Contested<G extends Group> = G & {
  /** "ruled out 2026-01-01 (Condition/b)" */ ruledOut: string | null;
};

/** Separates what is ruled out, and says of what is recorded as so too that it is. */
export function separateRuledOut<G extends Group>(
  groups: readonly G[],
): { ruledOutCount: number; others: readonly Contested<G>[] } {
  const isRuledOut = ({ detail }: Group): boolean => detail.verification === 'refuted';
  const ruledOut = buildRows(groups.filter(isRuledOut)).map(
    (row) => row.toSorted(compareNewestFirst)[0] as G,
  );
  const byKey = Map.groupBy(
    groups.filter(isRuledOut).toSorted(compareNewestFirst),
    ({ groupKey }) => groupKey,
  );
  const findDenial = (group: Group): Group | undefined =>
    byKey.get(group.groupKey)?.find((each) => mayBeOneSite(getSite(each), getSite(group)));
  const others = groups
    .filter((group) => !isRuledOut(group))
    .map((group) => ({ ...group, ruledOut: formatRuledOut(findDenial(group)) }));
  return { ruledOutCount: ruledOut.length, others };
}

const getSite = ({ detail }: Group): string | null =>
  'bodySite' in detail ? (detail.bodySite ?? null) : null;

/** Whether both may be about one part of the body: what is ruled out of the left eye is not of the right one. */
export const mayBeOneSite = (one: string | null, other: string | null): boolean =>
  one === null || other === null || normalizeName(one) === normalizeName(other);

const formatRuledOut = (group: Group | undefined): string | null =>
  group === undefined ? null : join(['ruled out', group.lastDay, `(${formatReference(group)})`], ' ');
