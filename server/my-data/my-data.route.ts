import { Readable } from 'node:stream';
import * as contract from '../../contract/my-record.ts';
import type { SignedIn } from '../accounts/session.ts';
import { demandSignedIn, type WhoIs } from '../http/demand-signed-in.ts';
import { guard, serve, type Routes } from '../http/serve.ts';
import { sendDocument } from '../uploads/document-dialect.ts';
import { readForms, receiver } from '../uploads/form-dialect.ts';
import { keptDocuments } from '../uploads/kept-documents.ts';
import { receiveUpload } from '../uploads/receive-upload.ts';
import { deleteAccount, type DeleteDeps } from './delete-account.ts';
import { everythingOf, type DownloadDeps } from './download.ts';
import { myUploads } from './my-uploads.ts';
import { zipStream } from './zip-stream.ts';

interface Deps extends DeleteDeps, DownloadDeps {
  signedIn: WhoIs<SignedIn>;
}

/** The person's own record: what they put in, what they take along, and the end of it. */
export function myDataRoutes(routes: Routes, deps: Deps): void {
  const { db, signedIn } = deps;
  serve(routes, contract.listMyUploads, async ({ visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return { results: await myUploads(db, patientId) };
  });
  void routes.app.register(async (app) => {
    await readForms(app);
    guard({ ...routes, app }, contract.uploadMyDocuments, async ({ request, reply, visitor }) => {
      const { patientId } = await demandSignedIn(signedIn, visitor);
      return reply.code(202).send({ batchId: await receiveUpload(deps, patientId, receiver(request)) });
    });
  });
  serve(routes, contract.listMyDocuments, async ({ visitor, query }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return keptDocuments(db, patientId, query);
  });
  guard(routes, contract.getMyDocument, async ({ request, reply, params, visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    return sendDocument({ db, request, reply }, { ...params, patientId });
  });
  guard(routes, contract.downloadMyData, async ({ request, reply, visitor }) => {
    const { patientId } = await demandSignedIn(signedIn, visitor);
    const day = deps.clock.now().toISOString().slice(0, 10);
    reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="my-health-data-${day}.zip"`);
    // Nothing is read for whoever asks about the archive alone; a stream, because its length is not 0 but unknown.
    return reply.send(
      request.method === 'HEAD' ? Readable.from([]) : zipStream(everythingOf(deps, patientId)),
    );
  });
  serve(routes, contract.deleteMyAccount, async ({ visitor, address, body: { password } }) => {
    const person = await demandSignedIn(signedIn, visitor);
    await deleteAccount(deps, { person, password, address });
    visitor.setSession(null);
    return undefined;
  });
}
