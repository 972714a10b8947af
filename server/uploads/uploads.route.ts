import * as contract from '../../contract/uploads.ts';
import { guard, serve, type Routes } from '../http/serve.ts';
import { notFound } from '../kernel/refusal.ts';
import { maybeOne } from '../storage/db.ts';
import { readForms, receiver } from './form-dialect.ts';
import type { BatchDeps } from './queue-batch.ts';
import { receiveUpload } from './receive-upload.ts';
import { toldBatch } from './told-batch.ts';
import * as statements from './uploads.sql.ts';

export function uploadRoutes(routes: Routes, deps: BatchDeps): void {
  void routes.app.register(async (app) => {
    await readForms(app);
    guard({ ...routes, app }, contract.uploadDocuments, async ({ request, reply, params }) => {
      const batchId = await receiveUpload(deps, params.patientId, receiver(request));
      return reply.code(202).send({ batchId });
    });
  });
  serve(routes, contract.listUploadBatches, async ({ params }) => ({
    results: (await deps.db.query(statements.batches(params.patientId))).map(toldBatch),
  }));
  serve(routes, contract.getUploadBatch, async ({ params }) => {
    const batch = await maybeOne(deps.db, statements.batch(params.patientId, params.batchId));
    if (!batch) throw notFound('The upload');
    const rejected = await deps.db.query(statements.rejections(params.patientId, params.batchId));
    return { ...toldBatch(batch), rejected };
  });
}
