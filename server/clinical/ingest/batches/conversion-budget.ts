import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import type { PatientId } from '../../../../contract/brands.ts';
import { DocumentError } from '../../../../documents/converter.ts';
import type {
  ConversionOptions,
  DocumentProcessPool,
} from '../../../../documents/sandbox/document-process-pool.ts';
import type { ExtractText } from '../import/attachment-texts.ts';
import { readMonotonicMs, type Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import * as statements from './conversion-time.sql.ts';

const MINUTE_MS = 60_000;

export interface ConversionLimits {
  /** Milliseconds for all documents of an archive. */
  archiveMs: number;
  /** Milliseconds for all archives of a patient within a window. */
  patientMs: number;
  windowMs: number;
  /** Documents over which their process died, or ran out of time or memory, until the others are left unread. */
  deaths: number;
}

/**
 * Published archives take a second for three C-CDA documents or two PDFs. A PDF of 600 bytes takes its minute, and an archive of
 * 40 MB of them would keep the converters busy for two weeks.
 */
export const CONVERSION_LIMITS: ConversionLimits = {
  archiveMs: 10 * MINUTE_MS,
  patientMs: 30 * MINUTE_MS,
  windowMs: 60 * MINUTE_MS,
  deaths: 3,
};

/** What converting the documents of one archive may still cost. */
export interface ConversionBudget {
  /**
   * Runs a conversion within what is left; throws DocumentError `not_read_in_time` where that is nothing, or too little, and
   * Reschedule at the end of the archive's turn.
   */
  spend<T>(convert: (options: ConversionOptions) => Promise<T>): Promise<T>;
  /** Stores what was used since it was last stored. */
  save(): Promise<void>;
}

interface Deps {
  db: Db;
  clock: Clock;
  /** Measures durations. */
  readMs?: () => number;
}

interface BudgetOptions {
  patientId: PatientId;
  signal: AbortSignal;
  /** After so many milliseconds of this archive the job is rescheduled; null: never. */
  turnMs?: number | null;
  limits?: ConversionLimits;
}

/** What may be lost of the time that a patient used, where this process is killed. */
const SAVE_MS = 1_000;

/** Creates the budget of an archive: its own, or what its patient has left in this hour. */
export async function createConversionBudget(
  { db, clock, readMs = readMonotonicMs }: Deps,
  { patientId, signal, turnMs = null, limits = CONVERSION_LIMITS }: BudgetOptions,
): Promise<ConversionBudget> {
  const used = await maybeOne(db, statements.findConversionTime(patientId, clock.now()));
  let left = Math.min(limits.archiveMs, limits.patientMs - (used?.used_ms ?? 0));
  let deaths = 0;
  let unsaved = 0;
  let turnLeft = turnMs ?? Number.POSITIVE_INFINITY;
  const onDeath = (): void => void deaths++;

  async function save(): Promise<void> {
    const usedMs = Math.round(unsaved);
    unsaved = 0;
    if (usedMs === 0) return;
    const now = clock.now();
    const ends = new Date(now.getTime() + limits.windowMs);
    await db.query(statements.addConversionTime(patientId, usedMs, { now, ends }));
  }

  async function measure<T>(convert: () => Promise<T>): Promise<T> {
    const startedAt = readMs();
    return convert().finally(() => {
      const ms = readMs() - startedAt;
      left -= ms;
      turnLeft -= ms;
      unsaved += ms;
    });
  }

  return {
    save,
    async spend(convert) {
      signal.throwIfAborted();
      if (deaths >= limits.deaths || left <= 0) throw notReadInTime();
      if (turnLeft <= 0) {
        await save();
        throw new Reschedule(0);
      }
      try {
        return await measure(() => convert({ maxMs: Math.ceil(left), signal, onDeath }));
      } catch (error) {
        throw error instanceof DocumentError && left <= 0 ? notReadInTime() : error;
      } finally {
        if (unsaved >= SAVE_MS) await save();
      }
    },
  };
}

/** An attached document that is not read in time is one that could not be read: it needs all restricted classes. */
export const createBudgetedExtraction =
  (documents: Pick<DocumentProcessPool, 'extractText'>, budget: ConversionBudget): ExtractText =>
  async (bytes) => {
    try {
      return await budget.spend((options) => documents.extractText(bytes, options));
    } catch (error) {
      if (error instanceof DocumentError) return null;
      throw error;
    }
  };

const notReadInTime = (): DocumentError =>
  new DocumentError(
    'not_read_in_time',
    'Reading the documents of this upload took too long; this one is kept and can be read later.',
  );
