import * as contract from '../../../../contract/account/uploads.ts';
import { generateTestPatientRecord } from '../../../../contract/organization/test-patients.ts';
import type { ReportActivity } from '../../../platform/http/activity.ts';
import { serveRaw, serve, type Routes, parseQuery } from '../../../platform/http/serve.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne } from '../../../platform/db/db.ts';
import { registerMultipart, createFileReceiver } from './form-dialect.ts';
import { generateRecord, type GenerateDeps } from './generate-record.ts';
import { readAgain } from './read-again.ts';
import { splitNotices } from './import-notes.ts';
import { receiveUpload } from './receive-upload.ts';
import { removeBatch, type RemoveDeps } from './remove-batch.ts';
import { confirmBatch } from './confirm-batch.ts';
import { toBatchDtos } from './batches.ts';
import * as statements from './uploads.sql.ts';

interface RouteDeps extends GenerateDeps, RemoveDeps {
  report: ReportActivity;
}

export function registerUploadRoutes(routes: Routes, deps: RouteDeps): void {
  void routes.app.register(async (app) => {
    await registerMultipart(app);
    serveRaw({ ...routes, app }, contract.uploadDocuments, async (call) => {
      const { request, reply, params } = call;
      const { confirm } = parseQuery(contract.uploadDocuments.query, request.query);
      const isConfirmed = confirm === 'true';
      const receive = createFileReceiver(call);
      const batchId = await receiveUpload(deps, { ...params, isConfirmed }, receive);
      deps.report('upload_received', { batchId });
      return reply.code(202).send({ batchId });
    });
  });
  serve(routes, generateTestPatientRecord, async ({ caller, params: { patientId }, body }) => {
    const generated = await generateRecord(deps, { caller, patientId, ...body });
    deps.report('upload_received', { batchId: generated.batchId });
    return generated;
  });
  serve(routes, contract.listUploadBatches, async ({ params }) => ({
    results: await toBatchDtos(
      deps.db,
      params.patientId,
      await deps.db.query(statements.selectBatches(params.patientId)),
    ),
  }));
  serve(routes, contract.readUploadAgain, async ({ params }) => ({
    batchId: await readAgain(deps, params),
  }));
  serve(routes, contract.confirmUploadBatch, async ({ params }) => {
    await confirmBatch(deps, params);
    return { batchId: params.batchId };
  });
  serve(routes, contract.removeUploadBatch, async ({ params }) => {
    await removeBatch(deps, params);
    return undefined;
  });
  serve(routes, contract.getUploadBatch, async ({ params }) => {
    const batch = await maybeOne(deps.db, statements.selectBatch(params.patientId, params.batchId));
    if (!batch) throw notFound('The upload');
    const [dto] = await toBatchDtos(deps.db, params.patientId, [batch]);
    const notices = await deps.db.query(statements.selectRejections(params.patientId, params.batchId));
    return { ...(dto as NonNullable<typeof dto>), ...splitNotices(notices) };
  });
}
