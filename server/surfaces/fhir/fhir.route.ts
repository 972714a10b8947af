import { constants } from 'node:zlib';
import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import * as contract from '../../../contract/fhir/fhir.ts';
import type { App } from '../../platform/http/app.ts';
import { serveRaw, parse, type RawCall, type Routes } from '../../platform/http/serve.ts';
import { registerMethodNotAllowed } from '../../platform/http/method-not-allowed.ts';
import { serializeBundle, createBundleSerializer } from './bundle.ts';
import { buildCapabilityStatement } from './capability-statement.ts';
import { parseEverythingParameters, type EverythingParameters } from './everything-parameters.ts';
import { registerFhirNotFound, registerFhirErrors } from './fhir-dialect.ts';
import { FHIR_JSON, FHIR_NDJSON, negotiateFormat, type Format } from './media-type.ts';
import { serializeNdjson, NDJSON_SERIALIZER } from './ndjson.ts';
import { auditRead, authorizeRecord, type FhirDeps } from './authorize-record.ts';
import { readResourceOfPerson, readResource } from './read.ts';
import { openCursor } from './paging-cursor.ts';
import { resolveCursor, createSnapshot, type RecordSnapshot } from './record-snapshot.ts';

const FHIR_ENDPOINTS = ENDPOINTS.filter(({ dialect }) => dialect === 'fhir');

/** `/FHIR/R4`: records as FHIR, read only. */
export function registerFhirRoutes(routes: Routes, deps: FhirDeps): void {
  void routes.app.register(async (app) => registerFhirNotFound(app), { prefix: '/FHIR' });
  void routes.app.register(async (app) => {
    registerFhirErrors(app);
    registerMethodNotAllowed(app, FHIR_ENDPOINTS);
    await registerCompression(app);
    const scopedRoutes = { ...routes, app };
    serveRaw(scopedRoutes, contract.getPersonEverything, (call) => sendEverything(deps, call));
    serveRaw(scopedRoutes, contract.getCapabilityStatement, async (call) =>
      sendJson(call, JSON.stringify(buildCapabilityStatement(deps.baseUrl))),
    );
    serveRaw(scopedRoutes, contract.readPerson, async (call) =>
      sendJson(call, () =>
        readResource(deps, { caller: call.caller, type: 'Person', id: call.params.resourceId }),
      ),
    );
    serveRaw(scopedRoutes, contract.readResourceOfPerson, async (call) => {
      const { resourceType: type, resourceId: id, patientId } = call.params;
      return sendJson(call, () => readResourceOfPerson(deps, patientId, { caller: call.caller, type, id }));
    });
    serveRaw(scopedRoutes, contract.readResource, async (call) => {
      const { resourceType: type, resourceId: id } = call.params;
      return sendJson(call, () => readResource(deps, { caller: call.caller, type, id }));
    });
  });
}

/** Compresses at fast levels: on one core, gzip 1 takes 319 MB/s and its default 6 takes 134 MB/s. */
const registerCompression = (app: App) =>
  app.register(compress, {
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    customTypes: /^application\/fhir\+(json|ndjson)/,
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });

interface HttpExchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

const resolveFormat = ({ request }: HttpExchange, offered: readonly Format[]): Format => {
  const { _format: format } = request.query as Record<string, unknown>;
  return negotiateFormat(
    { accept: request.headers.accept, format: typeof format === 'string' ? format : undefined },
    offered,
  );
};

async function sendJson(
  exchange: HttpExchange,
  body: string | (() => Promise<string>),
): Promise<FastifyReply> {
  resolveFormat(exchange, ['json']);
  return exchange.reply.type(FHIR_JSON).send(typeof body === 'string' ? body : await body());
}

const ACTION = 'fhir.everything';

async function sendEverything(
  deps: FhirDeps,
  { request, reply, caller, params }: RawCall<typeof contract.getPersonEverything>,
): Promise<FastifyReply> {
  const responseFormat = resolveFormat({ request, reply }, ['json', 'ndjson']);
  const parameters = parseEverythingParameters(parse(contract.EverythingQuery, request.query, ''));
  const record = await authorizeRecord(deps, { caller, patientId: params.patientId, action: ACTION });
  const serializer =
    responseFormat === 'json' ? createBundleSerializer(`${deps.baseUrl}/FHIR/R4`) : NDJSON_SERIALIZER;
  const paged = responseFormat === 'json' ? parameters : { ...parameters, ...UNPAGED };
  const cursor = openCursor(await deps.cursorSeal(), record.access, paged);
  const snapshot = await createSnapshot(deps, record, { parameters: paged, serializer, state: cursor.state });
  const after = await resolveCursor(deps, snapshot, { ...paged, after: cursor.after });
  const isHead = request.method === 'HEAD';
  const detail = buildAuditDetail(paged, isHead ? 0 : countEntries(paged, snapshot), snapshot.total);
  await auditRead(deps, record, { action: ACTION, detail });
  reply.type(responseFormat === 'json' ? FHIR_JSON : FHIR_NDJSON);
  if (isHead) return reply.send('');
  const chunks =
    responseFormat === 'json'
      ? serializeBundle(deps, { snapshot, parameters, after, serializer })
      : serializeNdjson(deps, snapshot);
  return streamChunks({ reply }, chunks);
}

const UNPAGED = { count: Number.MAX_SAFE_INTEGER, offset: 0, after: null, total: null };

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
  { types, since, offset, after }: EverythingParameters,
  entries: number,
  total: number,
) {
  const isWhole = types === null && since === null && offset === 0 && after === null && entries === total;
  return {
    entries,
    ...(types && { types }),
    ...(since && { since: since.at.toISOString() }),
    ...(isWhole && { whole: true }),
  };
}

/** A reader that takes nothing for this long is disconnected. */
const STALL_TIMEOUT_MS = 60_000;

/** Streams chunks as fast as the reader takes them; the generator ends when the reader disconnects. */
function streamChunks(
  { reply }: Pick<HttpExchange, 'reply'>,
  chunks: AsyncGenerator<Buffer | string>,
): FastifyReply {
  reply.raw.setTimeout(STALL_TIMEOUT_MS);
  return reply.send(Readable.from(chunks, { objectMode: false, highWaterMark: 64 * 1024 }));
}
