import * as contract from '../../contract/patient-sources.ts';
import type { OrganizationId, PatientId } from '../../contract/ids.ts';
import { demandSignedIn, type WhoIs } from '../http/demand-signed-in.ts';
import { serve, type Routes } from '../http/serve.ts';
import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { requestSync } from './request-sync.ts';
import { toldPatientSource } from './source-on-wire.ts';
import { sourcesOfPatient } from './syncs.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  signedIn: WhoIs<{ patientId: PatientId }>;
}

/** Whose sources: of one organization, or of all. */
interface Whose {
  patientId: PatientId;
  organizationId: OrganizationId | null;
}

/** What a patient's record is fetched from, as they see it, and the asking anew. */
export function patientSourceRoutes(routes: Routes, deps: Deps): void {
  const { signedIn } = deps;
  serve(routes, contract.listPatientSources, ({ caller }) => listed(deps, caller));
  serve(routes, contract.refreshPatientSources, ({ caller }) => refreshed(deps, caller));
  serve(routes, contract.listMySources, async ({ visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return listed(deps, { patientId, organizationId: null });
  });
  serve(routes, contract.refreshMySources, async ({ visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return refreshed(deps, { patientId, organizationId: null });
  });
}

async function listed(
  { db, clock }: Deps,
  { patientId, organizationId }: Whose,
): Promise<{ results: contract.PatientSource[] }> {
  const rows = await db.query(sourcesOfPatient(patientId, { organizationId, now: clock.now() }));
  return { results: rows.map(toldPatientSource) };
}

async function refreshed(deps: Deps, { patientId, organizationId }: Whose): Promise<{ sources: number }> {
  const now = deps.clock.now();
  return deps.db.tx(async (tx) => {
    const rows = await tx.query(sourcesOfPatient(patientId, { organizationId, now }));
    const open = rows.filter((row) => row.open);
    for (const row of open)
      await requestSync(tx, deps, {
        organizationId: row.organization_id,
        sourceId: row.source_id,
        patientId,
      });
    return { sources: open.length };
  });
}
