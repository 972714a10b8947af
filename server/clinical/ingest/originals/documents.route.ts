import * as contract from '../../../../contract/account/documents.ts';
import { serveRaw, serve, type Routes } from '../../../platform/http/serve.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sendDocument } from './document-dialect.ts';
import { listDocuments } from './stored-documents.ts';

export function registerDocumentRoutes(routes: Routes, { db }: { db: Db }): void {
  serve(routes, contract.listDocuments, ({ params, query }) => listDocuments(db, params.patientId, query));
  serveRaw(routes, contract.getDocument, ({ request, reply, params }) =>
    sendDocument({ db, request, reply }, params),
  );
}
