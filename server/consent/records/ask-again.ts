import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { findMailSender } from '../../identity/organizations/mail-sender.ts';
import { enqueueEnrollmentMail } from '../../identity/patients/invitation.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import { createRecurringJob } from '../../platform/jobs/recurring-job.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { markAskedAgain, resetAskedAgain } from '../decisions/ask-again.sql.ts';
import {
  selectAskedPerson,
  selectEndingConsents,
  selectSharingPatients,
  type ConsentingPatientRow,
} from './ask-again.sql.ts';
import { ASK_AGAIN_MS, listStudyConsents, MIN_ASKED_TERM_MS } from './study-consents.ts';

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  consentAppUrl: string;
}

const ASK_AGAIN_JOB = 'consent.ask-again';

interface Payload {
  projectId: ProjectId;
}

/** Words are often corrected once more, just after they were published: people get one mail about all of it. */
const QUIET_MS = 15 * 60_000;

const PAGE = 100;

/** Enqueues the mails about a new version of a project, in the transaction that writes it. */
export async function enqueueAskAgain(
  tx: Tx,
  jobs: Jobs,
  { projectId, now }: Payload & { now: Date },
): Promise<void> {
  await tx.query(resetAskedAgain(projectId));
  const slot = Math.floor(now.getTime() / QUIET_MS) + 1;
  await jobs.enqueue<Payload>(tx, {
    kind: ASK_AGAIN_JOB,
    uniqueKey: `${projectId} ${slot}`,
    runAt: new Date((slot + 1) * QUIET_MS),
    payload: { projectId },
  });
}

/** Creates the job that asks those who share with a project to decide again, after it has changed its words or asks for more. */
export const createAskAgainJob = (deps: Deps): JobKind<Payload> => ({
  kind: ASK_AGAIN_JOB,
  maxAttempts: 12,
  delaySeconds: (attempt) => Math.min(30 * 2 ** attempt, 3600),
  async run({ projectId }, signal) {
    let after: PatientId | null = null;
    for (;;) {
      signal.throwIfAborted();
      const page: ConsentingPatientRow[] = await deps.db.query(
        selectSharingPatients(projectId, { after, limit: PAGE, now: deps.clock.now() }),
      );
      for (const row of page) await askAgain(deps, row);
      if (page.length < PAGE) return;
      after = page.at(-1)?.patient_id ?? null;
    }
  },
});

const HOUR_MS = 3_600_000;

/** Creates the job that asks people whose consent ends within two weeks. */
export const createAskEndingJob = (deps: Deps): JobKind<object> =>
  createRecurringJob('consent.ask-ending', HOUR_MS, async (signal) => {
    const now = deps.clock.now();
    const window = { now, before: new Date(now.getTime() + ASK_AGAIN_MS), minTermMs: MIN_ASKED_TERM_MS };
    for (;;) {
      signal.throwIfAborted();
      const page = await deps.db.query(selectEndingConsents({ ...window, limit: PAGE }));
      for (const row of page) await deps.db.tx((tx) => askInTx(tx, deps, { row, marksAlways: true }));
      if (page.length < PAGE) return;
    }
  });

const askAgain = (deps: Deps, row: ConsentingPatientRow): Promise<void> =>
  deps.db.tx((tx) => askInTx(tx, deps, { row, marksAlways: false }));

/** Mails one person once, if there is something to ask; `marksAlways`: looks at nobody twice. */
async function askInTx(
  tx: Tx,
  { jobs, clock, consentAppUrl }: Deps,
  { row, marksAlways }: { row: ConsentingPatientRow; marksAlways: boolean },
): Promise<void> {
  const { patient_id: patientId, project_id: projectId } = row;
  const person = await maybeOne(tx, selectAskedPerson(patientId, projectId));
  const consents = person
    ? await listStudyConsents(tx, { patientId, projectId, version: person, now: clock.now() })
    : [];
  const isAsked = consents.some(({ asked }) => asked !== null);
  if (!isAsked && !marksAlways) return;
  const marked = await tx.query(markAskedAgain(patientId, projectId));
  const sender = person && isAsked ? await findMailSender(tx, person.organization_id) : null;
  if (!person || !sender || marked.length === 0) return;
  const to = { email: person.email, firstName: person.first_name, language: person.language };
  await enqueueEnrollmentMail(tx, jobs, { notice: 'asked-again', to, projectId, sender, consentAppUrl });
}
