import type { PatientId } from '../../../contract/brands.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import {
  deleteKeptAnswersBefore,
  upsertKeptAnswer,
  type AnswerBasis,
  type AnswerKey,
  type KeptAnswer,
} from './kept-answers.sql.ts';

/** Keeps an answer for the next reader. One that cannot be kept, as where the disk is full, is made again. */
export async function keepAnswer(
  db: Db,
  patientId: PatientId,
  { basis, answer }: { basis: AnswerBasis; answer: AnswerKey & KeptAnswer<unknown> },
): Promise<void> {
  await db.query(upsertKeptAnswer(patientId, basis, answer)).catch(() => {});
}

/** Deletes answers of earlier days: copies of facts that nobody reads any more. */
export async function purgeKeptAnswers({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteKeptAnswersBefore(clock.now().toISOString().slice(0, 10)));
}
