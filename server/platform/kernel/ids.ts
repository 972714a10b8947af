import { randomFillSync } from 'node:crypto';
import { v4, v7 } from 'uuid';
import type { PatientId } from '../../../contract/brands.ts';
import type { Clock } from './clock.ts';

/** Generates time-ordered UUIDs (RFC 9562 §5.7): new rows are adjacent in an index. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the brand is the caller's to say
export const generateId = <Id extends string>(): Id => v7() as Id;

/**
 * Generates the id of a person: random (RFC 9562 §5.4). One id is the person's in every organization, and a time in it would say
 * to each of them since when somebody has been known here.
 */
export const generatePatientId = (): PatientId => v4() as PatientId;

/**
 * Creates a generator of time-ordered UUIDs by a clock, so that a range of times is a range of ids. Ids of one generator
 * ascend: within a millisecond, and while the clock is behind itself, a counter orders them (RFC 9562 §6.2).
 */
export function createIdGenerator({ now }: Clock): () => string {
  let [msecs, seq] = [0, 0];
  return () => {
    const time = now().getTime();
    if (time > msecs) [msecs, seq] = [time, Math.floor(Math.random() * 2 ** 24)];
    else if (++seq > MAX_SEQUENCE) [msecs, seq] = [msecs + 1, 0];
    return v7({ msecs, seq, random: takeRandom() });
  };
}

const RANDOM = new Uint8Array(16 * 256);
let taken = RANDOM.length;

/** Returns the random bytes of one id; the system is asked for those of many at once, which takes as long as for one. */
function takeRandom(): Uint8Array {
  if (taken === RANDOM.length) {
    randomFillSync(RANDOM);
    taken = 0;
  }
  taken += 16;
  return RANDOM.subarray(taken - 16, taken);
}

/** The counter of a version 7 UUID has 32 bits; `uuid` takes it as a signed integer. */
const MAX_SEQUENCE = 2 ** 31 - 1;

/** Returns the least UUID that could have been generated at a time: a bound for ranges of time-ordered ids. */
export function toIdBound(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Returns when a time-ordered UUID was generated, milliseconds; null for what is no UUID. */
export const toIdTime = (id: string): number | null =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id) ? Number.parseInt(id.replace('-', '').slice(0, 12), 16) : null;
