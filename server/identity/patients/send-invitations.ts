import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type * as contract from '../../../contract/organization/patients.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { one, type Db, type Tx } from '../../platform/db/db.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import { findMailSender } from '../organizations/mail-sender.ts';
import { findAskingProjects } from '../organizations/projects.sql.ts';
import { enqueueEnrollmentMail } from './invitation.ts';
import { claimInvitable, countInvitable } from './patient-list.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  consentAppUrl: string;
}

type Endpoint = typeof contract.sendInvitations;

/** One transaction; the caller repeats it. */
const BATCH_SIZE = 500;

const DAY_MS = 86_400_000;

/**
 * Sends the invitation to those of a filter who have decided nothing, some with each call. Nobody gets two within a day, so
 * that a call that is repeated, or made twice at once, sends to each person once.
 */
export function sendInvitations(
  deps: Deps,
  caller: OrganizationCaller,
  { dryRun, ...filter }: z.infer<Endpoint['body']>,
): Promise<z.input<Endpoint['response']>> {
  const now = deps.clock.now();
  const since = new Date(now.getTime() - DAY_MS);
  return deps.db.tx(async (tx) => {
    const { matched, recent } = await one(tx, countInvitable(caller, filter, { since, now }));
    const counts = { matched, recentlyInvited: recent };
    if (dryRun) return { ...counts, sent: 0, remaining: matched - recent };
    const { organizationId } = caller;
    const people = await tx.query(claimInvitable(caller, filter, { since, now, limit: BATCH_SIZE }));
    const sender = await findMailSender(tx, organizationId);
    const asking = await findAsking(tx, people);
    if (sender)
      for (const { email, first_name: firstName, language, project_id: projectId } of people)
        await enqueueEnrollmentMail(tx, deps.jobs, {
          notice: 'invited',
          isAsking: asking.has(projectId),
          to: { email, firstName, language },
          projectId,
          sender,
          consentAppUrl: deps.consentAppUrl,
        });
    const entry = { organizationId, actor: toActor(caller), action: 'patient.invited' as const };
    if (people.length > 0)
      await deps.audit.writeAll(
        tx,
        people.map((row) => ({ ...entry, projectId: row.project_id, patientId: row.patient_id })),
      );
    return { ...counts, sent: people.length, remaining: Math.max(0, matched - recent - people.length) };
  });
}

async function findAsking(
  tx: Tx,
  people: readonly { project_id: ProjectId }[],
): Promise<ReadonlySet<ProjectId>> {
  const projectIds = [...new Set(people.map(({ project_id: projectId }) => projectId))];
  const rows = await tx.query(findAskingProjects(projectIds));
  return new Set(rows.map(({ project_id: projectId }) => projectId));
}
