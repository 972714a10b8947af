import type { Measure } from '../../../clinical/entries/observation-detail.ts';
import { escapeInline } from './escape-markdown.ts';

type Interpreted = Pick<Measure, 'interpretation' | 'flag' | 'computed'>;

/**
 * The flag of a result: the source's interpretation as written; where it has none, ours, marked as computed; and both where
 * they contradict each other.
 */
export function formatFlag({ interpretation, computed }: Interpreted): string {
  const written = escapeInline(interpretation, 80);
  if (computed === undefined) return written;
  const ours = `${escapeInline(computed.text, 80)}, computed`;
  if (written === '') return computed.flag === 'normal' ? '' : ours;
  return computed.contradicts === true ? `${written} as written, but ${ours}` : written;
}

/** True when the source says that the result is not usual, or the value lies outside its range; statements find such by `isFlagged`. */
export const isAbnormal = ({ flag, computed }: Interpreted): boolean =>
  (flag !== undefined && flag !== 'normal') || (computed !== undefined && computed.flag !== 'normal');
