import type { FastifyReply } from 'fastify';
import * as contract from '../../../contract/fhir/fhir.ts';
import { createChunkStream, type Chunk } from '../../platform/http/chunk-stream.ts';
import { acceptJsonAs } from '../../platform/http/json-body.ts';
import { parse, serveRaw, type RawCall, type Routes } from '../../platform/http/serve.ts';
import { authorizePatient } from './authorize-patient.ts';
import { auditRead, authorizeRecord, type AuthorizedRecord, type FhirDeps } from './authorize-record.ts';
import { createBundleSerializer, serializeBundle } from './bundle.ts';
import { collectParameters } from './collect-parameters.ts';
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
  const collected = collectParameters({ query, body, prefer: headers['prefer'] as string | undefined });
  const requested = parse(contract.EverythingQuery, collected, '');
  const format = negotiateFormat({ accept: headers.accept, format: requested['_format'] }, [
    'json',
    'ndjson',
  ]);
  const parameters = parseEverythingParameters(requested);
  const record = await authorize();
  const serializer =
    format === 'json' ? createBundleSerializer(deps.baseUrl, record.access.patientId) : NDJSON_SERIALIZER;
  const paged = format === 'json' ? parameters : { ...parameters, ...UNPAGED };
  const cursor = openCursor(await deps.cursorSeal(), record.access, paged);
  const snapshot = await createSnapshot(deps, record, { parameters: paged, serializer, state: cursor.state });
  const after = await resolveCursor(deps, snapshot, { ...paged, after: cursor.after });
  const isHead = method === 'HEAD';
  const detail = buildAuditDetail(paged, isHead ? 0 : countEntries(paged, snapshot), snapshot.total);
  const audited = auditRead(deps, record, { action: ACTION, detail });
  const chunks = isHead
    ? null
    : startReading(
        format === 'json'
          ? serializeBundle(deps, { snapshot, parameters, after, serializer })
          : serializeNdjson(deps, snapshot),
      );
  // The entry is durable before a byte leaves; what is to be sent first is read meanwhile.
  await audited;
  reply.type(format === 'json' ? FHIR_JSON : FHIR_NDJSON);
  return chunks === null ? reply.send('') : sendChunks(reply, chunks);
}

const UNPAGED = { count: Number.MAX_SAFE_INTEGER, offset: 0, after: null, total: null };

/** Has the first chunk made at once, and hands it over when it is asked for, as all others. */
function startReading(chunks: AsyncGenerator<Chunk>): AsyncIterable<Chunk> {
  const first = chunks.next();
  // It is thrown when it is asked for, if it is.
  first.catch(() => {});
  return (async function* () {
    const { value, done } = await first;
    if (done === true) return;
    yield value;
    yield* chunks;
  })();
}

/** Counts the entries of the answer; it is an upper bound where the request itself carries the position and the total. */
function countEntries(
  { count, offset, after, total: requestedTotal }: EverythingParameters,
  snapshot: RecordSnapshot,
): number {
  const isCounted = after === null && requestedTotal === null;
  return Math.max(0, Math.min(count, isCounted ? snapshot.total - offset : (snapshot.record.total ?? 0) + 1));
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
