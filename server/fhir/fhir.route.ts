import { constants } from 'node:zlib';
import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import * as contract from '../../contract/fhir.ts';
import type { App } from '../http/app.ts';
import { guard, parse, type Guarded, type Routes } from '../http/serve.ts';
import { refuseWrongMethods } from '../http/wrong-method.ts';
import { bundle, bundleTelling } from './bundle.ts';
import { capabilityStatement } from './capability-statement.ts';
import { everythingParameters, type EverythingParameters } from './everything-parameters.ts';
import { sayNothingThere, sayOutcomes } from './fhir-dialect.ts';
import { FHIR_JSON, FHIR_NDJSON, shapeOf, type Shape } from './media-type.ts';
import { ndjson, NDJSON_TELLING } from './ndjson.ts';
import { auditReading, openRecord, type FhirDeps } from './open-record.ts';
import { readOfPerson, readResource } from './read.ts';
import { placeOf, wholeRecord, type WholeRecord } from './whole-record.ts';

const FHIR_ENDPOINTS = ENDPOINTS.filter(({ dialect }) => dialect === 'fhir');

/** `/FHIR/R4`: records as FHIR, read only. */
export function fhirRoutes(routes: Routes, deps: FhirDeps): void {
  void routes.app.register(async (app) => sayNothingThere(app), { prefix: '/FHIR' });
  void routes.app.register(async (app) => {
    sayOutcomes(app);
    refuseWrongMethods(app, FHIR_ENDPOINTS);
    await compressAnswers(app);
    const here = { ...routes, app };
    guard(here, contract.personEverything, (call) => sendEverything(deps, call));
    guard(here, contract.capabilities, async (call) =>
      sendJson(call, JSON.stringify(capabilityStatement(deps.baseUrl))),
    );
    guard(here, contract.readPerson, async (call) =>
      sendJson(call, () =>
        readResource(deps, { caller: call.caller, type: 'Person', id: call.params.resourceId }),
      ),
    );
    guard(here, contract.readResourceOfPerson, async (call) => {
      const { resourceType: type, resourceId: id, patientId } = call.params;
      return sendJson(call, () => readOfPerson(deps, patientId, { caller: call.caller, type, id }));
    });
    guard(here, contract.readResource, async (call) => {
      const { resourceType: type, resourceId: id } = call.params;
      return sendJson(call, () => readResource(deps, { caller: call.caller, type, id }));
    });
  });
}

/** Fast levels: on one core gzip 1 makes 319 MB/s, its usual 6 134 MB/s. */
const compressAnswers = (app: App) =>
  app.register(compress, {
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    customTypes: /^application\/fhir\+(json|ndjson)/,
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
}

const shapeAsked = ({ request }: Asked, offered: readonly Shape[]): Shape => {
  const { _format: format } = request.query as Record<string, unknown>;
  return shapeOf(
    { accept: request.headers.accept, format: typeof format === 'string' ? format : undefined },
    offered,
  );
};

async function sendJson(asked: Asked, body: string | (() => Promise<string>)): Promise<FastifyReply> {
  shapeAsked(asked, ['json']);
  return asked.reply.type(FHIR_JSON).send(typeof body === 'string' ? body : await body());
}

const ACTION = 'fhir.everything';

async function sendEverything(
  deps: FhirDeps,
  { request, reply, caller, params }: Guarded<typeof contract.personEverything>,
): Promise<FastifyReply> {
  const shape = shapeAsked({ request, reply }, ['json', 'ndjson']);
  const parameters = everythingParameters(parse(contract.EverythingQuery, request.query, ''));
  const record = await openRecord(deps, { caller, patientId: params.patientId, action: ACTION });
  const telling = shape === 'json' ? bundleTelling(`${deps.baseUrl}/FHIR/R4`) : NDJSON_TELLING;
  const paged = shape === 'json' ? parameters : { ...parameters, ...WHOLE };
  const whole = await wholeRecord(deps, record, { parameters: paged, telling });
  const after = await placeOf(deps, whole, paged);
  const isHead = request.method === 'HEAD';
  const detail = detailOf(paged, isHead ? 0 : entriesOf(paged, whole), whole.total);
  await auditReading(deps, record, { action: ACTION, detail });
  reply.type(shape === 'json' ? FHIR_JSON : FHIR_NDJSON);
  if (isHead) return reply.send('');
  const pieces = shape === 'json' ? bundle(deps, { whole, parameters, after, telling }) : ndjson(deps, whole);
  return sendPieces({ reply }, pieces);
}

const WHOLE = { count: Number.MAX_SAFE_INTEGER, offset: 0, after: null, total: null };

/** Entries that are about to leave: at most so many where the request itself says where it goes on and how many there are. */
function entriesOf({ count, offset, after, total: told }: EverythingParameters, whole: WholeRecord): number {
  const isCounted = after === null && told === null;
  return Math.max(0, Math.min(count, isCounted ? whole.total - offset : (whole.record.total ?? 0) + 1));
}

/** What the log says of an answer; `whole`: nothing that the reader may see is left out of it. */
function detailOf({ types, since, offset, after }: EverythingParameters, entries: number, total: number) {
  const isWhole = types === null && since === null && offset === 0 && after === null && entries === total;
  return {
    entries,
    ...(types && { types }),
    ...(since && { since: since.at.toISOString() }),
    ...(isWhole && { whole: true }),
  };
}

/** A reader that takes nothing for so long is gone. */
const STALLED_MS = 60_000;

/** Piece by piece, as fast as the reader takes them; when they leave, the pieces end. */
function sendPieces({ reply }: Pick<Asked, 'reply'>, pieces: AsyncGenerator<Buffer | string>): FastifyReply {
  reply.raw.setTimeout(STALLED_MS);
  return reply.send(Readable.from(pieces, { objectMode: false, highWaterMark: 64 * 1024 }));
}
