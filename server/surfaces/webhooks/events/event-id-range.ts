import { encodeTime, TIME_LEN } from 'ulid';
import type { EventId } from '../../../../contract/brands.ts';

/** Digits of a ULID after its time. */
const RANDOM_LEN = 16;

/** The least id that an event told at this time has: ids are compared to it as times are. */
export const eventIdFromTime = (time: Date): EventId =>
  `evt_${encodeTime(Math.max(0, time.getTime()), TIME_LEN)}${'0'.repeat(RANDOM_LEN)}` as EventId;

/** Before and after every id. */
export const MIN_EVENT_ID = 'evt_0' as EventId;
export const MAX_EVENT_ID = 'evt_8' as EventId;
