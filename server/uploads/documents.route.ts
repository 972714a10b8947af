import * as contract from '../../contract/documents.ts';
import { guard, serve, type Routes } from '../http/serve.ts';
import type { Db } from '../storage/db.ts';
import { sendDocument } from './document-dialect.ts';
import { keptDocuments } from './kept-documents.ts';

export function documentRoutes(routes: Routes, { db }: { db: Db }): void {
  serve(routes, contract.listDocuments, ({ params, query }) => keptDocuments(db, params.patientId, query));
  guard(routes, contract.getDocument, ({ request, reply, params }) =>
    sendDocument({ db, request, reply }, params),
  );
}
