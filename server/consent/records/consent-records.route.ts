import { Readable } from 'node:stream';
import * as contract from '../../../contract/organization/consent-records.ts';
import {
  getConsentStats as statsEndpoint,
  listConsentPageVersions as pageVersionsEndpoint,
  listOrganizationConsents as listEndpoint,
} from '../../../contract/organization/organization-consents.ts';
import type { Caller } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { chooseType } from '../../platform/http/media-ranges.ts';
import { sendTagged } from '../../platform/http/send-tagged.ts';
import { JSON_TYPE, serveRaw, serve, type Routes, parseQuery } from '../../platform/http/serve.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import { readPicture } from '../decisions/pictures.ts';
import { getConsentStats } from './consent-stats.ts';
import { getConsentedDataScopes } from './consented-data-scopes.ts';
import { requireDecision, findPatient } from './find-patient.ts';
import { findConsentRecord, toConsentRecordDto, toListedScreenshotDto } from './consent-record.ts';
import { parseModifiedSince } from './modified-since.ts';
import { streamConsentRecords } from './list-consent-records.ts';
import { selectScreenshot, selectScreenshots } from './consent-records.sql.ts';
import { listConsentSummaries, getConsentSummary } from './consent-summaries.ts';
import { exportOrganizationConsents } from './export-consents.ts';
import { listOrganizationConsents } from './organization-consents.ts';
import { listConsentPageVersions } from './page-versions.ts';
import { auditView } from './audit-view.ts';
import { sendScreenshot } from './screenshot-dialect.ts';

interface Deps {
  db: Db;
  clock: Clock;
  objects: Objects;
  audit: Audit;
  /** Returns the project of a path for a caller of its organization; throws 404 and 403. */
  requireOwnProject(caller: Caller, projectId: ProjectId): Promise<{ organization_id: OrganizationId }>;
}

export function registerConsentRecordRoutes(routes: Routes, deps: Deps): void {
  const { db, audit } = deps;
  serve(routes, contract.getConsentRecord, async ({ params, caller }) => {
    const record = await findConsentRecord(db, caller, params.consentRecordId);
    await auditView(audit, caller, {
      action: 'consent.record_viewed',
      patientId: record.patient_id,
      consentRecordId: record.consent_record_id,
      detail: { view: 'record' },
    });
    return toConsentRecordDto(record);
  });
  registerListRoute(routes, deps);
  registerScreenshotRoutes(routes, deps);
  serve(routes, contract.getConsentSummary, ({ params, caller }) =>
    getConsentSummary(deps, caller, params.patientId),
  );
  serve(routes, contract.listConsentSummaries, async ({ params, query, caller }) => {
    await deps.requireOwnProject(caller, params.projectId);
    return listConsentSummaries(deps, caller, { projectId: params.projectId, page: query });
  });
  registerOrganizationListRoute(routes, deps);
  serve(routes, pageVersionsEndpoint, ({ query, caller }) => listConsentPageVersions(db, caller, query));
  serve(routes, statsEndpoint, ({ query, caller }) => getConsentStats(deps, caller, query));
  serve(routes, contract.getConsentedDataScopes, ({ params, caller }) =>
    getConsentedDataScopes(deps, caller, params),
  );
}

/** The decisions of all patients: a page of them as JSON, or all of a filter as lines. */
function registerOrganizationListRoute(routes: Routes, deps: Deps): void {
  serveRaw(routes, listEndpoint, async ({ request, reply, caller }) => {
    const query = parseQuery(listEndpoint.query, request.query);
    const format = chooseType(request.headers.accept, [
      'application/json',
      'text/csv',
      'application/x-ndjson',
    ]);
    reply.header('vary', 'Origin, Accept');
    if (format === 'application/json') {
      const page = listEndpoint.response.parse(await listOrganizationConsents(deps, caller, query));
      return sendTagged(request, reply, { text: JSON.stringify(page), type: JSON_TYPE });
    }
    const extension = format === 'text/csv' ? 'csv' : 'ndjson';
    reply
      .type(format === 'text/csv' ? 'text/csv; charset=utf-8' : format)
      .header('content-disposition', `attachment; filename="consent-records.${extension}"`);
    // HEAD exports nothing; its length is unknown.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    return reply.send(Readable.from(await exportOrganizationConsents(deps, caller, { ...query, format })));
  });
}

function registerListRoute(routes: Routes, deps: Deps): void {
  serveRaw(routes, contract.listConsentRecords, async ({ request, reply, caller }) => {
    const { limit, offset, ...identifiers } = parseQuery(contract.listConsentRecords.query, request.query);
    const since = parseModifiedSince(request.headers['if-modified-since'], deps.clock.now());
    const patientId = await findPatient(deps.db, caller, identifiers);
    await requireDecision(deps.db, caller, patientId);
    reply.type('application/json; charset=utf-8');
    // The framework would read the whole answer to drop it; an empty text would imply a length that GET has not.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    const chunks = await streamConsentRecords(deps, { caller, patientId, page: { limit, offset }, since });
    // One chunk waits while the socket is full, and no more are read.
    return reply.send(Readable.from(chunks, { highWaterMark: 1 }));
  });
}

function registerScreenshotRoutes(routes: Routes, { db, objects, audit }: Deps): void {
  serve(routes, contract.listScreenshots, async ({ params, caller }) => {
    const { patient_id: patientId } = await findConsentRecord(db, caller, params.consentRecordId);
    const rows = await db.query(selectScreenshots(patientId, params.consentRecordId));
    await auditView(audit, caller, {
      action: 'consent.record_viewed',
      patientId,
      consentRecordId: params.consentRecordId,
      detail: { view: 'screenshots' },
    });
    return { screenshots: rows.map(toListedScreenshotDto) };
  });
  serveRaw(routes, contract.getScreenshot, async ({ params, caller, reply }) => {
    const { consentRecordId, screenshotId } = params;
    const { patient_id: patientId } = await findConsentRecord(db, caller, consentRecordId);
    const row = await maybeOne(db, selectScreenshot(patientId, consentRecordId, screenshotId));
    if (!row) throw notFound('The screenshot');
    const bytes = await readPicture(objects, patientId, row);
    await auditView(audit, caller, {
      action: 'consent.evidence_viewed',
      patientId,
      consentRecordId,
      detail: { screenshotId },
    });
    return sendScreenshot(reply, row, bytes);
  });
}
