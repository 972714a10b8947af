import * as contract from '../../contract/sources.ts';
import type { z } from 'zod';
import type { OrganizationCaller } from '../../contract/audience.ts';
import type { OrganizationId, PatientId, SourceId } from '../../contract/ids.ts';
import { actorOf } from '../audit/append.ts';
import { serve, type Routes } from '../http/serve.ts';
import { forbidden, notFound, Refusal } from '../kernel/refusal.ts';
import { maybeOne, one, type Db } from '../storage/db.ts';
import { addSource, changeSource, removeSource, syncEverybody, type ChangeDeps } from './change-source.ts';
import { requestSync } from './request-sync.ts';
import { toldSource, toldSync } from './source-on-wire.ts';
import * as statements from './sources.sql.ts';
import type { SyncDeps } from './sync-patient.ts';
import { countConsentingPatients, countSyncs, soughtPatient, syncsOf } from './syncs.sql.ts';
import { tryServer } from './test-source.ts';

export interface SourcesDeps extends ChangeDeps, Omit<SyncDeps, 'tokens'> {
  /** Ours, under which the keys are published. */
  baseUrl: string;
}

/** The servers that an organization has connected. */
export function sourceRoutes(routes: Routes, deps: SourcesDeps): void {
  const { db, baseUrl } = deps;
  const told = (row: statements.SourceRow): contract.Source => toldSource(row, baseUrl);
  serve(routes, contract.createSource, async ({ caller, body }) => told(await addSource(deps, caller, body)));
  serve(routes, contract.listSources, async ({ params: { orgId }, query }) => {
    const { total } = await one(db, statements.countSources(orgId));
    return { total, results: (await db.query(statements.sourcesOf(orgId, query))).map(told) };
  });
  serve(routes, contract.getSource, async ({ params }) =>
    told(await found(db, params.orgId, params.sourceId)),
  );
  serve(routes, contract.updateSource, async ({ params: { sourceId }, caller, body }) =>
    told(await changeSource(deps, { caller, sourceId }, body)),
  );
  serve(routes, contract.deleteSource, async ({ params: { sourceId }, caller }) => {
    await removeSource(deps, caller, sourceId);
    return undefined;
  });
  serve(routes, contract.testSource, async ({ params }) =>
    tryServer(deps, await found(db, params.orgId, params.sourceId)),
  );
  serve(routes, contract.sourceKeys, async ({ params: { sourceId } }) => {
    const rows = await db.query(statements.publicKeys(sourceId));
    if (rows.length === 0) throw notFound('The key set');
    return { keys: rows.map(({ public_jwk: jwk }) => JSON.parse(jwk) as PublicKey) };
  });
  syncRoutes(routes, deps);
}

type PublicKey = z.input<(typeof contract.sourceKeys)['response']>['keys'][number];

function syncRoutes(routes: Routes, deps: SourcesDeps): void {
  const { db } = deps;
  serve(routes, contract.syncSource, async ({ params, caller, body }) => {
    const source = await found(db, params.orgId, params.sourceId);
    if (source.status === 'paused')
      throw new Refusal(409, 'source_paused', { detail: 'The source is paused; resume it first.' });
    return { patients: await setOff(deps, { source, caller, patientId: body.patientId }) };
  });
  serve(routes, contract.listSourceSyncs, async ({ params, query: { status, patientId, ...page } }) => {
    const { source_id: sourceId } = await found(db, params.orgId, params.sourceId);
    const filter = { state: status ?? null, patientId: patientId ?? null };
    const { total } = await one(db, countSyncs(sourceId, filter));
    return { total, results: (await db.query(syncsOf(sourceId, { ...page, ...filter }))).map(toldSync) };
  });
}

/** Also for a source of another organization, so that nobody learns whether an id exists elsewhere. */
async function found(
  db: Db,
  organizationId: OrganizationId,
  sourceId: SourceId,
): Promise<statements.SourceRow> {
  const row = await maybeOne(db, statements.sourceById(organizationId, sourceId));
  if (!row) throw notFound('The source');
  return row;
}

interface SetOff {
  source: statements.SourceRow;
  caller: OrganizationCaller;
  /** Absent: everybody. */
  patientId: PatientId | undefined;
}

async function setOff(deps: SourcesDeps, { source, caller, patientId }: SetOff): Promise<number> {
  const { db, audit, clock } = deps;
  const { organization_id: organizationId, source_id: sourceId } = source;
  if (patientId !== undefined) {
    const sought = await maybeOne(db, soughtPatient(patientId, source, clock.now()));
    if (!sought?.consents) throw forbidden('The patient shares with no project of this source now.');
  }
  const { patients } = patientId
    ? { patients: 1 }
    : await one(db, countConsentingPatients(source, clock.now()));
  await db.tx(async (tx) => {
    if (patientId === undefined) await syncEverybody(tx, deps, source);
    else await requestSync(tx, deps, { organizationId, sourceId, patientId });
    await audit.write(tx, {
      organizationId,
      action: 'source.sync_requested',
      actor: actorOf(caller),
      ...(patientId !== undefined && { patientId }),
      detail: { sourceId, patients },
    });
  });
  return patients;
}
