import { Counter, type Registry } from 'prom-client';
import type { PatientId } from '../../../../contract/brands.ts';
import { one, type Queryable } from '../../../platform/db/db.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { sumObjectBytes } from '../../../platform/objects/objects.sql.ts';
import { sumBlobBytes } from '../originals/blobs.sql.ts';
import { sumBodyBytes } from '../../store/resource-bodies.sql.ts';
import { selectUploadCounts } from './uploads.sql.ts';

/** Archives a day that a patient may upload, and how many of them may wait to be read. */
export const QUOTAS = { perDay: 50, unfinished: 20, receiving: 4 } as const;

const DAY_MS = 24 * 3600 * 1000;
/** Seconds after which one of twenty archives that wait has probably been read. */
const RETRY_UNFINISHED_SECONDS = 60;

/** What a patient may upload, so that none fills the store of all. */
export interface UploadQuotas {
  /** The bytes that are kept of a patient at most. */
  readonly keptBytes: number;
  /** Throws 429 or 507 when another archive, of so many bytes, is more than the patient may upload now. */
  requireAllowed(on: Queryable, upload: { patientId: PatientId; bytes: number; now: Date }): Promise<void>;
  /** Receives an archive; throws 429 when the patient is sending as many on this node. */
  whileReceiving<T>(patientId: PatientId, receive: () => Promise<T>): Promise<T>;
}

export function createUploadQuotas({
  keptBytes,
  metrics,
}: {
  keptBytes: number;
  metrics: Registry;
}): UploadQuotas {
  const refusals = new Counter({
    name: 'chartgate_uploads_refused_total',
    help: 'Uploads that a quota refused, by its code',
    labelNames: ['code'],
    registers: [metrics],
  });
  const receiving = new Map<PatientId, number>();
  const refuse = (refusal: Refusal): never => {
    refusals.inc({ code: refusal.code });
    throw refusal;
  };
  return {
    keptBytes,
    async requireAllowed(on, { patientId, bytes, now }) {
      const counts = await one(
        on,
        selectUploadCounts(patientId, { since: new Date(now.getTime() - DAY_MS), perDay: QUOTAS.perDay }),
      );
      if (counts.unfinished >= QUOTAS.unfinished) refuse(tooManyUnfinished());
      if (counts.day >= QUOTAS.perDay && counts.oldest)
        refuse(tooManyToday(counts.oldest.getTime() + DAY_MS - now.getTime()));
      if ((await sumKeptBytes(on, patientId)) + bytes > keptBytes) refuse(quotaExceeded(keptBytes));
    },
    async whileReceiving(patientId, receive) {
      const count = receiving.get(patientId) ?? 0;
      if (count >= QUOTAS.receiving) refuse(tooManyUnfinished());
      receiving.set(patientId, count + 1);
      try {
        return await receive();
      } finally {
        const left = (receiving.get(patientId) ?? 1) - 1;
        if (left === 0) receiving.delete(patientId);
        else receiving.set(patientId, left);
      }
    },
  };
}

/** Sums what is kept of a patient: originals and archives as they are stored, wherever, and the text of resources. */
export async function sumKeptBytes(on: Queryable, patientId: PatientId): Promise<number> {
  const blobs = await one(on, sumBlobBytes(patientId));
  const objects = await one(on, sumObjectBytes(patientId));
  const bodies = await one(on, sumBodyBytes(patientId));
  return blobs.bytes + objects.bytes + bodies.bytes;
}

const tooManyUnfinished = (): Refusal =>
  new Refusal(429, 'too_many_unfinished', {
    detail: `At most ${QUOTAS.unfinished} uploads may wait to be read, and ${QUOTAS.receiving} be sent at a time; try again when some have been read.`,
    headers: { 'retry-after': String(RETRY_UNFINISHED_SECONDS) },
  });

const tooManyToday = (waitMs: number): Refusal =>
  new Refusal(429, 'too_many_uploads', {
    detail: `At most ${QUOTAS.perDay} archives may be uploaded within 24 hours.`,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });

const quotaExceeded = (keptBytes: number): Refusal =>
  new Refusal(507, 'quota_exceeded', {
    detail: `The record would exceed the ${Math.floor(keptBytes / 1024 / 1024)} MiB that are kept for a patient; remove uploads first.`,
    reason: 'quota of kept bytes',
  });
