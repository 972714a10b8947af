import { decodeTime, encodeTime, TIME_LEN, ulid } from 'ulid';
import type { EventId } from '../../../../contract/brands.ts';

/** Digits of a ULID after its time. */
const RANDOM_LEN = 16;

/** Ids sort by the time at which events are emitted, to the millisecond. */
export const generateEventId = (now: Date): EventId => `evt_${ulid(now.getTime())}` as EventId;

/** Returns the smallest id that an event emitted at this time can have, so that ids can be compared as times are. */
export const eventIdFromTime = (time: Date): EventId =>
  `evt_${encodeTime(Math.max(0, time.getTime()), TIME_LEN)}${'0'.repeat(RANDOM_LEN)}` as EventId;

/** Returns when an event was emitted, milliseconds. */
export const timeFromEventId = (id: EventId): number => decodeTime(id.slice('evt_'.length));

/** Sorts before every id. */
export const MIN_EVENT_ID = 'evt_0' as EventId;
/** Sorts after every id. */
export const MAX_EVENT_ID = 'evt_8' as EventId;

/** Makes a page of rows that were queried with one row more than `limit`; `next` is null on the last page. */
export function toKeysetPage<Row extends { event_id: EventId }>(
  rows: readonly Row[],
  limit: number,
): { rows: readonly Row[]; next: EventId | null } {
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.event_id ?? null) : null };
}
