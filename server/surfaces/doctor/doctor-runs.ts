import { DOCTOR_INTERVAL_SECONDS, type DoctorRun } from '../../../contract/organization/doctor/doctor.ts';
import { OPERATOR_CHECKS } from '../../../contract/organization/doctor/findings.ts';
import type { DoctorRunId, OrganizationId } from '../../../contract/brands.ts';
import {
  findOrganizationsByNameOrId,
  lockOrganization,
} from '../../identity/organizations/organizations.sql.ts';
import type { Audit, AuditEntry } from '../../platform/audit/append.ts';
import { one, type Db, type Queryable } from '../../platform/db/db.ts';
import { selectLatestNow } from '../../platform/db/store-clock.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { Refusal, tooManyRequests } from '../../platform/kernel/refusal.ts';
import type { SecretStore } from '../../platform/keys/stored-secrets.ts';
import type { DeploymentConfig } from './deployment.ts';
import * as statements from './doctor-runs.sql.ts';
import type { Finding } from './finding.ts';

export interface DoctorDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
}

/** The payload is a row that is there before the job is. */
interface RunJob {
  organizationId: OrganizationId;
  runId: DoctorRunId;
  actor: AuditEntry['actor'];
}

const DOCTOR_JOB = 'doctor.run';

/** Steps of `examine`, which is loaded when a run begins. */
const countSteps = (isShared: boolean): number => (isShared ? 3 : 9);

/** Whether other organizations use the installation too: then what they share is none's to see. */
const isInstallationShared = async (on: Queryable): Promise<boolean> =>
  (await on.query(findOrganizationsByNameOrId(null))).length > 1;

/** Starts a check of the deployment. Throws 409 while one runs, and 429 within a minute after one began. */
export function startDoctorRun(
  { db, clock, audit, jobs }: DoctorDeps,
  { organizationId, actor }: Pick<RunJob, 'organizationId' | 'actor'>,
): Promise<DoctorRun> {
  return db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { now } = await one(tx, selectLatestNow(clock.now()));
    const [newest] = await tx.query(statements.findRuns(organizationId));
    if (newest) {
      requireNextRun(newest, now);
      await tx.query(statements.deleteOtherRuns(organizationId, newest.doctor_run_id));
    }
    const runId = generateId<DoctorRunId>();
    await tx.query(
      statements.insertRun({
        doctor_run_id: runId,
        organization_id: organizationId,
        started_at: now,
        started_by_kind: actor.kind,
        started_by: actor.id,
      }),
    );
    await audit.write(tx, {
      organizationId,
      action: 'doctor.started',
      actor,
      detail: { doctorRunId: runId },
    });
    await jobs.enqueue<RunJob>(tx, {
      kind: DOCTOR_JOB,
      uniqueKey: runId,
      payload: { organizationId, runId, actor },
    });
    const [started] = await tx.query(statements.findRuns(organizationId));
    return toDoctorRunDto(started as statements.DoctorRunRow, await isInstallationShared(tx));
  });
}

function requireNextRun(newest: statements.DoctorRunRow, now: Date): void {
  if (newest.finished_at === null)
    throw new Refusal(409, 'doctor_running', { detail: 'A check runs already; wait until it has ended.' });
  const waitMs = newest.started_at.getTime() + DOCTOR_INTERVAL_SECONDS * 1000 - now.getTime();
  if (waitMs > 0) throw tooManyRequests('doctor_ran_just_now', waitMs);
}

/** Returns the run that goes on, and the last one that ended. */
export async function getDoctorRuns(
  db: Db,
  organizationId: OrganizationId,
): Promise<{ running: DoctorRun | null; last: DoctorRun | null }> {
  const isShared = await isInstallationShared(db);
  const rows = await db.query(statements.findRuns(organizationId));
  const runs = rows.map((row) => toDoctorRunDto(row, isShared));
  return {
    running: runs.find(({ finishedAt }) => finishedAt === null) ?? null,
    last: runs.find(({ finishedAt }) => finishedAt !== null) ?? null,
  };
}

/** `isShared`: a run from before there was another organization may have found more than is for one of them. */
function toDoctorRunDto(row: statements.DoctorRunRow, isShared: boolean): DoctorRun {
  const found = JSON.parse(row.findings) as Finding[];
  const findings = isShared ? found.filter(({ check }) => !OPERATOR_CHECKS.has(check)) : found;
  const steps = countSteps(isShared);
  return {
    id: row.doctor_run_id,
    startedAt: row.started_at.toISOString(),
    startedBy: { kind: row.started_by_kind, id: row.started_by, name: row.started_by_name },
    finishedAt: row.finished_at?.toISOString() ?? null,
    step: Math.min(row.steps_done, steps),
    steps,
    isHealthy: row.finished_at && findings.every(({ outcome }) => outcome !== 'failed'),
    findings,
  };
}

export interface DoctorJobDeps extends DoctorDeps {
  config: DeploymentConfig;
  secretStores: readonly SecretStore[];
}

/** Creates the job of a run: what each step finds is stored at once, for who watches. A run that was cut off begins anew. */
export function createDoctorJob(deps: DoctorJobDeps): JobKind<RunJob> {
  const { db, clock } = deps;
  return {
    kind: DOCTOR_JOB,
    maxAttempts: 2,
    delaySeconds: () => 5,
    async run(job, signal) {
      // The MCP client, the mail client and the rest are of no use to a service that nobody checks.
      const [{ examine }, { walkWithOwnKey }] = await Promise.all([
        import('./examine.ts'),
        import('./walk-with-own-key.ts'),
      ]);
      const { organizationId, actor } = job;
      const walk = () =>
        walkWithOwnKey(deps, { organizationId, actor, baseUrl: deps.config.http.baseUrl, signal });
      const findings: Finding[] = [];
      const { config, secretStores } = deps;
      let done = 0;
      const isShared = await isInstallationShared(db);
      for await (const found of examine({ config, store: { db, secretStores }, walk, isShared }, signal)) {
        findings.push(...found);
        const rows = await db.query(statements.updateRunProgress(job, { done: ++done, findings }));
        if (rows.length === 0) return;
      }
      await db.query(statements.updateFinished(job, clock.now()));
    },
    async onDeadLetter(job) {
      await db.query(statements.updateFinished(job, clock.now()));
    },
  };
}
