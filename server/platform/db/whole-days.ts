import { addDays, startOfDay, toDay } from '../../../contract/time-zone.ts';

interface TimeRange {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Finds the days of a zone that lie in a range as a whole, whose sums can be read; none where its points are hours. */
export function findWholeDays({
  from,
  to,
  bucket,
  zone,
}: TimeRange & { bucket: 'hour' | 'day' | 'total'; zone: string }): TimeRange {
  const day = toDay(from, zone);
  const begin = startOfDay(day, zone);
  const days = {
    from: begin < from ? startOfDay(addDays(day, 1), zone) : begin,
    to: startOfDay(toDay(to, zone), zone),
  };
  return bucket === 'hour' || days.to <= days.from ? { from, to: from } : days;
}
