import * as contract from '../../../../contract/account/documents.ts';
import { serveRaw, serve, type Routes } from '../../../platform/http/serve.ts';
import type { BlobDeps } from './blobs.ts';
import { sendDocument } from './document-dialect.ts';
import { listDocuments } from './stored-documents.ts';

export function registerDocumentRoutes(routes: Routes, deps: BlobDeps): void {
  serve(routes, contract.listDocuments, ({ params, query }) =>
    listDocuments(deps.db, params.patientId, query),
  );
  serveRaw(routes, contract.getDocument, ({ request, reply, params }) =>
    sendDocument({ ...deps, request, reply }, params),
  );
}
