import * as contract from '../../../contract/account/patient-sources.ts';
import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { requestSync } from './request-sync.ts';
import { toPatientSourceDto } from './source-dto.ts';
import { selectPatientSources } from './syncs.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/** A patient's sources: those of one organization, or of all. */
interface SourceScope {
  patientId: PatientId;
  organizationId: OrganizationId | null;
}

/** Registers the routes by which a patient's sources are listed and refreshed. */
export function registerPatientSourceRoutes(routes: Routes, deps: Deps): void {
  serve(routes, contract.listPatientSources, ({ caller }) => listSources(deps, caller));
  serve(routes, contract.refreshPatientSources, ({ caller }) => refreshSources(deps, caller));
  serve(routes, contract.listMySources, ({ caller: { patientId } }) =>
    listSources(deps, { patientId, organizationId: null }),
  );
  serve(routes, contract.refreshMySources, ({ caller: { patientId } }) =>
    refreshSources(deps, { patientId, organizationId: null }),
  );
}

async function listSources(
  { db, clock }: Deps,
  { patientId, organizationId }: SourceScope,
): Promise<{ results: contract.PatientSource[] }> {
  const rows = await db.query(selectPatientSources(patientId, { organizationId, now: clock.now() }));
  return { results: rows.map(toPatientSourceDto) };
}

async function refreshSources(
  deps: Deps,
  { patientId, organizationId }: SourceScope,
): Promise<{ sources: number }> {
  const now = deps.clock.now();
  return deps.db.tx(async (tx) => {
    const rows = await tx.query(selectPatientSources(patientId, { organizationId, now }));
    const open = rows.filter((row) => row.open);
    for (const row of open)
      await requestSync(tx, deps, {
        organizationId: row.organization_id,
        sourceId: row.source_id,
        baseUrl: row.base_url,
        patientId,
      });
    return { sources: open.length };
  });
}
