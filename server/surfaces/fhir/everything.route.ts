import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import * as contract from '../../../contract/fhir/fhir.ts';
import { createChunkStream, type Chunk } from '../../platform/http/chunk-stream.ts';
import { acceptJsonAs } from '../../platform/http/json-body.ts';
import { serveRaw, type RawCall, type Routes, parseQuery } from '../../platform/http/serve.ts';
import { auditEnd } from './audit-end.ts';
import { authorizePatient } from './authorize-patient.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import {
  auditNothingRead,
  auditRead,
  authorizeRecord,
  type AuthorizedRecord,
  type FhirDeps,
} from './authorize-record.ts';
import { createBundleSerializer, serializeBundle } from './bundle.ts';
import { collectParameters, requireForLines } from './collect-parameters.ts';
import { parseEverythingParameters, type EverythingParameters } from './everything-parameters.ts';
import { FHIR_JSON, FHIR_NDJSON, negotiateFormat } from './media-type.ts';
import { NDJSON_SERIALIZER, serializeNdjson } from './ndjson.ts';
import { openCursor } from './paging-cursor.ts';
import { createSnapshot, resolveCursor, type RecordSnapshot } from './record-snapshot.ts';
import { isWholeRecord } from './selection.ts';

const ACTION = 'fhir.everything';

/** Registers `$everything` of a person and of a Patient, by GET and by POST: one operation. */
export function registerEverythingRoutes(routes: Routes, deps: FhirDeps): void {
  acceptJsonAs(routes.app, FHIR_JSON);
  for (const endpoint of [contract.getPersonEverything, contract.invokePersonEverything])
    serveRaw(routes, endpoint, (call) =>
      sendEverything(deps, call, () =>
        authorizeRecord(deps, { caller: call.caller, patientId: call.params.patientId, action: ACTION }),
      ),
    );
  for (const endpoint of [contract.getPatientEverything, contract.invokePatientEverything])
    serveRaw(routes, endpoint, (call) =>
      sendEverything(deps, call, () =>
        authorizePatient(deps, { caller: call.caller, id: call.params.resourceId, action: ACTION }),
      ),
    );
}

type EverythingCall = Pick<RawCall<typeof contract.getPersonEverything>, 'request' | 'reply'>;

async function sendEverything(
  deps: FhirDeps,
  { request, reply }: EverythingCall,
  authorize: () => Promise<AuthorizedRecord>,
): Promise<FastifyReply> {
  const { headers, body, method } = request;
  const query = request.query as Record<string, unknown>;
  const prefer = headers['prefer'] as string | undefined;
  const collected = collectParameters({ query, body, prefer });
  const requested = parseQuery(contract.EverythingQuery, collected);
  const format = negotiateFormat({ accept: headers.accept, format: requested['_format'] }, [
    'json',
    'ndjson',
  ]);
  const parameters = parseEverythingParameters(requested);
  if (format === 'ndjson') requireForLines(requested, prefer);
  const record = await authorize();
  const serializer =
    format === 'json' ? createBundleSerializer(deps.baseUrl, record.access.patientId) : NDJSON_SERIALIZER;
  const paged = format === 'json' ? parameters : { ...parameters, ...UNPAGED };
  const cursor = openCursor(await deps.cursorSeal(), record.access, paged);
  const snapshot = await createSnapshot(deps, record, { parameters: paged, serializer, cursor }).catch(
    (error: unknown) => auditExpiry(deps, record, error),
  );
  const after = await resolveCursor(deps, snapshot, { ...paged, after: cursor.after });
  const isHead = method === 'HEAD';
  const entries = isHead ? 0 : countEntries(paged, snapshot);
  const detail = {
    ...buildAuditDetail(paged, entries, snapshot.total),
    ...(paged.count === 0 && !isHead && { counted: true }),
  };
  const audited = auditRead(deps, record, { action: ACTION, detail });
  reply.type(format === 'json' ? FHIR_JSON : FHIR_NDJSON);
  if (isHead) return audited.then(() => reply.send(Readable.from([])));
  const chunks = auditEnd(
    deps,
    format === 'json'
      ? serializeBundle(deps, { snapshot, parameters, after, serializer })
      : serializeNdjson(deps, snapshot),
    { record, audited, entries: snapshot.count.isExact ? entries : null, log: request.log },
  );
  return sendChunks(reply, await startReading(chunks, audited));
}

/** The page of a traversal that cannot go on is a call like any other; what is malformed is none. */
async function auditExpiry(deps: FhirDeps, record: AuthorizedRecord, error: unknown): Promise<never> {
  if (error instanceof Refusal && error.code === 'traversal_expired')
    await auditNothingRead(deps, record, { action: ACTION, reason: error.code });
  throw error;
}

const UNPAGED = { count: Number.MAX_SAFE_INTEGER, offset: 0, after: null, counted: null };

/** Has the first chunk made while the entry of the log is made durable, before which no byte leaves; throws what ends it there. */
async function startReading(
  chunks: AsyncGenerator<Chunk>,
  audited: Promise<string>,
): Promise<AsyncIterable<Chunk>> {
  const reading = chunks.next();
  // It is thrown below, unless the entry was not made.
  reading.catch(() => {});
  await audited;
  const first = await reading;
  return (async function* () {
    try {
      if (first.done !== true) yield first.value;
      yield* chunks;
    } finally {
      // Whoever stops after the first one ends the others too.
      await chunks.return(undefined);
    }
  })();
}

/** Counts the entries of the answer; an upper bound where the consents were changed since the traversal began. */
function countEntries({ count, offset }: EverythingParameters, snapshot: RecordSnapshot): number {
  const { total, record } = snapshot;
  return Math.max(0, Math.min(count, snapshot.count.isExact ? total - offset : (record.total ?? 0) + 1));
}

/** Builds the audit detail of an answer; `whole` means that the answer holds all that the reader may see. */
function buildAuditDetail(
  { types, since, dates, offset, after }: EverythingParameters,
  entries: number,
  total: number,
) {
  const isWhole =
    isWholeRecord({ types, since: since?.at ?? null, dates }) &&
    offset === 0 &&
    after === null &&
    entries === total;
  return {
    entries,
    ...(types && { types }),
    ...(since && { since: since.at.toISOString() }),
    ...dates?.raw,
    ...(isWhole && { whole: true }),
  };
}

/** A reader that takes nothing for this long is disconnected. */
const STALL_TIMEOUT_MS = 60_000;

function sendChunks(reply: FastifyReply, chunks: AsyncIterable<Chunk>): FastifyReply {
  reply.raw.setTimeout(STALL_TIMEOUT_MS);
  return reply.send(createChunkStream(chunks));
}
