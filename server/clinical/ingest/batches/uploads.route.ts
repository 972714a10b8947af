import * as contract from '../../../../contract/account/uploads.ts';
import type { ReportActivity } from '../../../platform/http/activity.ts';
import { serveRaw, serve, type Routes } from '../../../platform/http/serve.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { registerMultipart, createFileReceiver } from './form-dialect.ts';
import { readAgain } from './read-again.ts';
import { receiveUpload, type ReceiveDeps } from './receive-upload.ts';
import { removeBatch, type RemoveDeps } from './remove-batch.ts';
import { toBatchDto } from './batches.ts';
import * as statements from './uploads.sql.ts';

interface RouteDeps extends ReceiveDeps, RemoveDeps {
  report: ReportActivity;
}

export function registerUploadRoutes(routes: Routes, deps: RouteDeps): void {
  void routes.app.register(async (app) => {
    await registerMultipart(app);
    serveRaw({ ...routes, app }, contract.uploadDocuments, async ({ request, reply, params }) => {
      const batchId = await receiveUpload(deps, params.patientId, createFileReceiver(request));
      deps.report('upload_received', { batchId });
      return reply.code(202).send({ batchId });
    });
  });
  serve(routes, contract.listUploadBatches, async ({ params }) => ({
    results: (await deps.db.query(statements.selectBatches(params.patientId))).map(toBatchDto),
  }));
  serve(routes, contract.readUploadAgain, async ({ params }) => ({
    batchId: await readAgain(deps, params),
  }));
  serve(routes, contract.removeUploadBatch, async ({ params }) => {
    await removeBatch(deps, params);
    return undefined;
  });
  serve(routes, contract.getUploadBatch, async ({ params }) => {
    const batch = await maybeOne(deps.db, statements.selectBatch(params.patientId, params.batchId));
    if (!batch) throw notFound('The upload');
    const rejected = await deps.db.query(statements.selectRejections(params.patientId, params.batchId));
    return { ...toBatchDto(batch), rejected };
  });
}
