import { Readable } from 'node:stream';
import {
  exportEvidence as endpoint,
  openConsentRecord as openEndpoint,
} from '../../../contract/organization/organization-consents.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { serve, serveRaw, type Routes } from '../../platform/http/serve.ts';
import { whilePermitted } from '../../platform/http/while-permitted.ts';
import { createZipStream } from '../../platform/http/zip-stream.ts';
import { auditView } from '../records/audit-view.ts';
import { findConsentRecord } from '../records/consent-record.ts';
import { exportEvidence, type EvidenceDeps } from './export-evidence.ts';
import { openConsentRecord } from './open-consent-record.ts';

interface Deps extends EvidenceDeps {
  audit: Audit;
}

export function registerEvidenceRoute(routes: Routes, deps: Deps): void {
  const onPictureError = (error: unknown): void =>
    routes.app.log.error({ err: error }, 'a picture of a decision cannot be read');
  serve(routes, openEndpoint, ({ params, caller }) =>
    openConsentRecord({ ...deps, onPictureError }, caller, params.consentRecordId),
  );
  serveRaw(routes, endpoint, async ({ request, reply, params: { consentRecordId }, ...call }) => {
    const { caller, requireStillPermitted } = call;
    const { patient_id: patientId } = await findConsentRecord(deps.db, caller, consentRecordId);
    // Before its headers are there: a refusal has others.
    await deps.objects.requireReachable(patientId);
    reply
      .type('application/zip')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="consent-evidence-${consentRecordId}.zip"`);
    // HEAD shows nothing; it answers with a stream, since the length is unknown and not 0.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    // Before the archive is made: the entry is in the slice of the log that the archive holds.
    await auditView(deps.audit, caller, { action: 'evidence.exported', patientId, consentRecordId });
    const zipEntries = exportEvidence(deps, { patientId, consentRecordId });
    return reply.send(createZipStream(whilePermitted(zipEntries, requireStillPermitted)));
  });
}
