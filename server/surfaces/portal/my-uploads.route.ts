import * as contract from '../../../contract/account/my-record.ts';
import { serveRaw, serve, type Routes } from '../../platform/http/serve.ts';
import { registerMultipart, createFileReceiver } from '../../clinical/ingest/batches/form-dialect.ts';
import { receiveUpload, type ReceiveDeps } from '../../clinical/ingest/batches/receive-upload.ts';
import { confirmBatch } from '../../clinical/ingest/batches/confirm-batch.ts';
import { readAgain } from '../../clinical/ingest/batches/read-again.ts';
import { removeBatch, type RemoveDeps } from '../../clinical/ingest/batches/remove-batch.ts';
import { listMyUploads } from './my-uploads.ts';

type Deps = ReceiveDeps & RemoveDeps;

/** What the person adds to their own record, and takes out again. */
export function registerMyUploadRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  serve(routes, contract.listMyUploads, async ({ caller: { patientId } }) => {
    return { results: await listMyUploads(db, patientId) };
  });
  serve(routes, contract.removeMyUpload, async ({ body: { batchId }, caller: { patientId } }) => {
    await removeBatch(deps, { patientId, batchId });
    return undefined;
  });
  serve(routes, contract.confirmMyUpload, async ({ body: { batchId }, caller: { patientId } }) => {
    await confirmBatch(deps, { patientId, batchId });
    return { batchId };
  });
  serve(routes, contract.readMyUploadAgain, async ({ body: { batchId }, caller: { patientId } }) => ({
    batchId: await readAgain(deps, { patientId, batchId }),
  }));
  void routes.app.register(async (app) => {
    await registerMultipart(app);
    serveRaw({ ...routes, app }, contract.uploadMyDocuments, async (call) => {
      const { patientId } = call.caller;
      const batchId = await receiveUpload(deps, { patientId, isChosen: true }, createFileReceiver(call));
      return call.reply.code(202).send({ batchId });
    });
  });
}
