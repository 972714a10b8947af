import { Readable } from 'node:stream';
import * as contract from '../../../contract/account/my-record.ts';
import { serveRaw, serve, type Routes } from '../../platform/http/serve.ts';
import { sendDocument } from '../../clinical/ingest/originals/document-dialect.ts';
import { listDocuments } from '../../clinical/ingest/originals/stored-documents.ts';
import {
  listUnreadDocuments,
  stateUnreadDocument,
  type StatementDeps,
} from '../../clinical/ingest/batches/unread-documents.ts';
import { deleteAccount, type DeleteDeps } from './delete-account.ts';
import { exportEverything, type DownloadDeps } from './download.ts';
import { whilePermitted } from '../../platform/http/while-permitted.ts';
import { createZipStream } from '../../platform/http/zip-stream.ts';

type Deps = DeleteDeps & DownloadDeps & StatementDeps;

/** The person's own record: originals, the download of everything, and the deletion of the account. */
export function registerMyDataRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  serve(routes, contract.listMyUnreadDocuments, ({ caller: { patientId } }) =>
    listUnreadDocuments(db, patientId),
  );
  serve(routes, contract.stateMyUnreadDocument, async ({ caller: { patientId }, body }) => {
    await stateUnreadDocument(deps, { patientId, ...body });
    return undefined;
  });
  serve(routes, contract.listMyDocuments, async ({ caller: { patientId }, query }) => {
    return listDocuments(db, patientId, query);
  });
  serveRaw(routes, contract.getMyDocument, async ({ request, reply, params, caller: { patientId } }) => {
    return sendDocument({ ...deps, request, reply }, { ...params, patientId });
  });
  serveRaw(routes, contract.downloadMyData, async ({ request, reply, caller, requireStillPermitted }) => {
    const { patientId } = caller;
    // Before its headers are there: a refusal has others.
    await deps.objects.requireReachable(patientId);
    const day = deps.clock.now().toISOString().slice(0, 10);
    reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="my-health-data-${day}.zip"`);
    // HEAD reads nothing; it answers with a stream, since the length is unknown and not 0.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    return reply.send(
      createZipStream(whilePermitted(exportEverything(deps, patientId), requireStillPermitted)),
    );
  });
  serve(
    routes,
    contract.deleteMyAccount,
    async ({ caller: session, browserContext, address, requestId, body: { password } }) => {
      await deleteAccount(deps, { session, password, address, requestId });
      browserContext.setSession(null);
      return undefined;
    },
  );
}
