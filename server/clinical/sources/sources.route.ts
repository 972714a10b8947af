import * as syncContract from '../../../contract/organization/source-syncs.ts';
import * as contract from '../../../contract/organization/sources.ts';
import type { z } from 'zod';
import type { OrganizationCaller, OrganizationReach } from '../../../contract/audience.ts';
import type { PatientId, SourceId } from '../../../contract/brands.ts';
import { toActor } from '../../platform/audit/append.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import { forbidden, notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne, one, type Db } from '../../platform/db/db.ts';
import { countConsentingPatients, selectIsPermitted } from '../../consent/access/consenting-patients.sql.ts';
import { createSource, updateSource, deleteSource, enqueueSyncAll, type SourceDeps } from './sources.ts';
import { requestSync } from './request-sync.ts';
import { toSourceDto, toSyncDto } from './source-dto.ts';
import * as statements from './sources.sql.ts';
import type { SyncDeps } from './sync-patient.ts';
import { countSyncs, countSyncsByState, selectSyncs } from './syncs.sql.ts';
import { testSource } from './test-source.ts';

export interface SourcesDeps extends SourceDeps, Omit<SyncDeps, 'tokens' | 'inspectors'> {
  /** Our base URL, under which the keys are published. */
  baseUrl: string;
}

/** Registers the routes of an organization's sources. */
export function registerSourceRoutes(routes: Routes, deps: SourcesDeps): void {
  const { db, baseUrl } = deps;
  const toDto = (row: statements.SourceRow): contract.Source => toSourceDto(row, baseUrl);
  serve(routes, contract.createSource, async ({ caller, body }) =>
    toDto(await createSource(deps, caller, body)),
  );
  serve(routes, contract.listSources, async ({ caller, query }) => {
    const { total } = await one(db, statements.countSources(caller));
    const sources = (await db.query(statements.selectSources(caller, query))).map(toDto);
    return { total, results: await countPatients(db, caller, sources) };
  });
  serve(routes, contract.getSource, async ({ params, caller }) => {
    const source = toDto(await requireSource(db, caller, params.sourceId));
    const [counted] = await countPatients(db, caller, [source]);
    return counted as contract.CountedSource;
  });
  serve(routes, contract.updateSource, async ({ params: { sourceId }, caller, body }) =>
    toDto(await updateSource(deps, { caller, sourceId }, body)),
  );
  serve(routes, contract.deleteSource, async ({ params: { sourceId }, caller }) => {
    await deleteSource(deps, caller, sourceId);
    return undefined;
  });
  serve(routes, contract.testSource, async ({ params, caller }) =>
    testSource(deps, await requireSource(db, caller, params.sourceId)),
  );
  serve(routes, contract.getSourceKeys, async ({ params: { sourceId } }) => {
    const rows = await db.query(statements.selectPublicKeys(sourceId));
    if (rows.length === 0) throw notFound('The key set');
    return { keys: rows.map(({ public_jwk: jwk }) => JSON.parse(jwk) as PublicKey) };
  });
  registerSyncRoutes(routes, deps);
}

/** Adds to each source how many patients are in each state there. */
async function countPatients(
  db: Db,
  reach: OrganizationReach,
  sources: readonly contract.Source[],
): Promise<contract.CountedSource[]> {
  const counts = await db.query(
    countSyncsByState(
      reach,
      sources.map(({ id }) => id),
    ),
  );
  const none = Object.fromEntries(syncContract.SourceState.options.map((state) => [state, 0]));
  return sources.map((source) => {
    const own = counts.filter(({ source_id: id }) => id === source.id);
    const patients = { ...none, ...Object.fromEntries(own.map(({ state, total }) => [state, total])) };
    return { ...source, patients: patients as contract.CountedSource['patients'] };
  });
}

type PublicKey = z.input<(typeof contract.getSourceKeys)['response']>['keys'][number];

function registerSyncRoutes(routes: Routes, deps: SourcesDeps): void {
  const { db } = deps;
  serve(routes, syncContract.syncSource, async ({ params, caller, body }) => {
    const source = await requireSource(db, caller, params.sourceId);
    if (source.status === 'paused')
      throw new Refusal(409, 'source_paused', { detail: 'The source is paused; resume it first.' });
    return { patients: await enqueueSyncs(deps, { source, caller, patientId: body.patientId }) };
  });
  serve(routes, syncContract.listSourceSyncs, async ({ params, caller, query }) => {
    const { status, patientId, ...page } = query;
    const { source_id: sourceId } = await requireSource(db, caller, params.sourceId);
    const filter = { states: status ?? null, patientId: patientId ?? null, reach: caller };
    const { total } = await one(db, countSyncs(sourceId, filter));
    return { total, results: (await db.query(selectSyncs(sourceId, { ...page, ...filter }))).map(toSyncDto) };
  });
}

/** Throws `not_found` also for a source of another organization, so that ids cannot be probed. */
async function requireSource(
  db: Db,
  reach: OrganizationReach,
  sourceId: SourceId,
): Promise<statements.SourceRow> {
  const row = await maybeOne(db, statements.selectSource(reach, sourceId));
  if (!row) throw notFound('The source');
  return row;
}

interface SyncTarget {
  source: statements.SourceRow;
  caller: OrganizationCaller;
  /** Absent for all patients. */
  patientId: PatientId | undefined;
}

async function enqueueSyncs(deps: SourcesDeps, { source, caller, patientId }: SyncTarget): Promise<number> {
  const { db, audit, clock } = deps;
  const { organization_id: organizationId, source_id: sourceId } = source;
  const scope = statements.toProjectScope(source);
  const now = clock.now();
  if (patientId !== undefined && !(await one(db, selectIsPermitted(patientId, scope, now))).permitted)
    throw forbidden('The patient shares with no project of this source now.');
  const { patients } = patientId ? { patients: 1 } : await one(db, countConsentingPatients(scope, now));
  await db.tx(async (tx) => {
    if (patientId === undefined) await enqueueSyncAll(tx, deps, source);
    else await requestSync(tx, deps, { organizationId, sourceId, patientId, baseUrl: source.base_url });
    await audit.write(tx, {
      organizationId,
      action: 'source.sync_requested',
      actor: toActor(caller),
      ...(patientId !== undefined && { patientId }),
      detail: { sourceId, patients },
    });
  });
  return patients;
}
