import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '../../../contract/fhir/fhir.ts';
import type { App } from '../../platform/http/app.ts';
import { sendTagged } from '../../platform/http/send-tagged.ts';
import { serveRaw, type Routes } from '../../platform/http/serve.ts';
import { resolveAnyCoding } from './accept-encoding.ts';
import { buildCapabilityStatement } from './capability-statement.ts';
import { registerFhirNotFound, registerFhirErrors } from './fhir-dialect.ts';
import { requireForRead } from './collect-parameters.ts';
import { FHIR_JSON, negotiateFormat } from './media-type.ts';
import type { FhirDeps } from './authorize-record.ts';
import { registerEverythingRoutes } from './everything.route.ts';
import { readResourceOfPerson, readResource } from './read.ts';

/** `/FHIR/R4`: records as FHIR, read only. */
export function registerFhirRoutes(routes: Routes, deps: FhirDeps): void {
  void routes.app.register(async (app) => registerFhirNotFound(app), { prefix: '/FHIR' });
  void routes.app.register(async (app) => {
    registerFhirErrors(app);
    await registerCompression(app);
    const scopedRoutes = { ...routes, app };
    registerEverythingRoutes(scopedRoutes, deps);
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
async function registerCompression(app: App): Promise<void> {
  app.addHook('onRequest', async ({ headers }) => {
    const accepted = headers['accept-encoding'];
    if (typeof accepted === 'string') headers['accept-encoding'] = resolveAnyCoding(accepted);
  });
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    customTypes: /^application\/fhir\+(json|ndjson)/,
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });
}

interface HttpExchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Sends a resource with a tag of its bytes, or 304 (https://hl7.org/fhir/R4/http.html#cread), once the read was permitted and
 * audited. The tag is no `meta.versionId`: references are resolved, and parts left out by consent, within one version, and two
 * sources may use one version for different content.
 */
async function sendJson(
  exchange: HttpExchange,
  body: string | (() => Promise<string>),
): Promise<FastifyReply> {
  const { headers } = exchange.request;
  const query = exchange.request.query as Record<string, unknown>;
  const { _format: format } = query;
  requireForRead(query, headers['prefer']?.toString());
  negotiateFormat({ accept: headers.accept, format: typeof format === 'string' ? format : undefined }, [
    'json',
  ]);
  const text = typeof body === 'string' ? body : await body();
  return sendTagged(exchange.request, exchange.reply, { text, type: FHIR_JSON });
}
