import { z } from 'zod';
import { OperationOutcome } from '../fhir/fhir.ts';
import { hasPermission, ROLES, type Permission } from '../roles.ts';
import {
  hasEntityTag,
  isConditional,
  PATH_PARAMETERS,
  readsBody,
  refusesUnknownParameters,
  type EndpointDefinition,
} from '../endpoint.ts';
import { EnrollmentEntry } from '../organization/enrollment.ts';
import { createComponents, type SchemaConverter } from './openapi-components.ts';
import { describeMcp } from './openapi-mcp.ts';
import { buildWebhooks } from './openapi-webhooks.ts';
import { buildSecurity, listAccessRefusals, SECURITY_SCHEMES } from './openapi-security.ts';
import { Problem } from '../problem.ts';
import { VERSION } from '../version.ts';

type Json = Record<string, unknown>;

/** Builds the OpenAPI 3.1 document of endpoints from the values that validate and type them. */
export function buildOpenApiDocument(endpoints: readonly EndpointDefinition[], serverUrl = '/'): Json {
  const { toSchema, finish } = createComponents();
  toSchema(Problem, 'output');
  toSchema(EnrollmentEntry, 'input');
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = buildOperation(endpoint, toSchema);
  }
  const { document, schemas } = finish({
    openapi: '3.1.0',
    info: {
      title: 'Chartgate',
      version: VERSION,
      description:
        "A patient's health record, read by an AI agent or a partner system only while the patient consents.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl, description: 'The service that serves this document' }],
    paths,
    webhooks: buildWebhooks(toSchema),
  });
  return {
    ...document,
    components: {
      schemas: describeMcp(schemas),
      responses: { MethodNotAllowed: METHOD_NOT_ALLOWED },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function buildOperation(endpoint: EndpointDefinition, toSchema: SchemaConverter): Json {
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...buildSecurity(endpoint),
    ...(!endpoint.audience.includes('anyone') && { 'x-audience': endpoint.audience }),
    ...(endpoint.permission !== undefined && {
      'x-permission': endpoint.permission,
      'x-roles': ROLES.filter((role) => hasPermission(role, endpoint.permission as Permission)),
    }),
    parameters: buildParameters(endpoint, toSchema),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.bodyOptional,
        content: { [endpoint.consumes ?? 'application/json']: { schema: buildBody(endpoint, toSchema) } },
      },
    }),
    responses: buildResponses(endpoint, toSchema),
  };
}

function buildBody({ body, closedBody }: EndpointDefinition, toSchema: SchemaConverter): Json {
  const schema = toSchema(body as z.ZodType, 'input');
  return closedBody ? closeSchema(schema) : schema;
}

/** Says of a body, and of what stands inline in it, that it takes no other members; of a component only where it is the body. */
function closeSchema(schema: Json): Json {
  const inner = Object.entries(schema).map(([name, value]) => [name, closeInner(name, value)] as const);
  return {
    ...Object.fromEntries(inner),
    ...('$ref' in schema && { unevaluatedProperties: false }),
    ...('properties' in schema && { additionalProperties: false }),
  };
}

function closeInner(name: string, value: unknown): unknown {
  const close = (each: unknown): unknown =>
    typeof each === 'object' && each !== null && !('$ref' in each) ? closeSchema(each as Json) : each;
  if (['anyOf', 'oneOf'].includes(name)) return (value as unknown[]).map(close);
  if (name === 'items') return close(value);
  if (name !== 'properties') return value;
  return Object.fromEntries(Object.entries(value as Json).map(([key, each]) => [key, close(each)]));
}

function buildParameters(endpoint: EndpointDefinition, toSchema: SchemaConverter): Json[] {
  const pathParameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: toSchema(PATH_PARAMETERS[name as keyof typeof PATH_PARAMETERS], 'input'),
  }));
  const query = endpoint.query ? toSchema(endpoint.query, 'input') : {};
  const required = (query['required'] as string[] | undefined) ?? [];
  const queryParameters = Object.entries((query['properties'] as Json | undefined) ?? {}).map(
    ([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      // Several values are separated by commas.
      ...(isArray(schema) && { style: 'form', explode: false }),
      schema,
    }),
  );
  const headers = { ...(hasEntityTag(endpoint) && { 'If-None-Match': CONDITION }), ...endpoint.headers };
  const headerParameters = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...pathParameters, ...queryParameters, ...headerParameters];
}

const isArray = (schema: unknown): boolean => (schema as Json)['type'] === 'array';

const CONDITION = 'The `ETag` of an earlier answer: 304 where it is still the same';
const TAG = 'Changes with the answer';
const UNCHANGED = 'The answer is the one whose `ETag` the request names';

function buildResponses(endpoint: EndpointDefinition, toSchema: SchemaConverter): Json {
  const hasInput =
    readsBody(endpoint) ||
    refusesUnknownParameters(endpoint) ||
    endpoint.query !== undefined ||
    endpoint.path.includes('{');
  const refusals: Record<string, string> = {
    ...(hasInput && { 400: 'The input is invalid' }),
    ...(readsBody(endpoint) && { 413: 'The body is larger than this endpoint takes' }),
    ...(readsBody(endpoint) && {
      415: `The body is ${takesJson(endpoint) ? 'of another content type, or ' : ''}under a content coding`,
    }),
    ...(isConditional(endpoint) && {
      412: 'The request has an `If-Match`, which no tag of this service matches',
    }),
    ...listAccessRefusals(endpoint),
    ...(endpoint.storeUse && { 507: 'The disk of the store has no space for it' }),
    ...endpoint.refusals,
  };
  const responseHeaders = { ...(hasEntityTag(endpoint) && { ETag: TAG }), ...endpoint.responseHeaders };
  const success = {
    ...(endpoint.response instanceof z.ZodUndefined ? {} : buildContent(endpoint, toSchema)),
    ...((endpoint.responseHeaders ?? hasEntityTag(endpoint)) && { headers: buildHeaders(responseHeaders) }),
  };
  return {
    [String(endpoint.status ?? 200)]: { description: endpoint.summary, ...success },
    ...(hasEntityTag(endpoint) && { 304: { description: UNCHANGED } }),
    ...Object.fromEntries(
      Object.entries(refusals).map(([status, description]) => [
        status,
        {
          description,
          ...buildRefusalHeaders(endpoint, Number(status)),
          ...buildRefusal(endpoint, Number(status), toSchema),
        },
      ]),
    ),
  };
}

/** OAuth's forms answer another content type with 400. */
const takesJson = ({ consumes = 'application/json', dialect }: EndpointDefinition): boolean =>
  consumes === 'application/json' && dialect !== 'oauth';

function buildHeaders(headers: Readonly<Record<string, string>>): Json {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

const buildContent = (endpoint: EndpointDefinition, toSchema: SchemaConverter): Json => ({
  content: Object.fromEntries(
    [
      [endpoint.produces ?? 'application/json', endpoint.response] as const,
      ...Object.entries(endpoint.alternatives ?? {}),
    ].map(([type, schema]) => [type, { schema: toSchema(schema, 'output') }]),
  ),
});

/** RFC 6750 §3, RFC 9728 §5.1. */
const CHALLENGE =
  '`Bearer resource_metadata="…", scope="patient/*.read"`, with `error="invalid_token"` where a token was presented';

/** RFC 9110 §10.2.3. */
const RETRY_AFTER = 'After how many seconds to ask again';

function buildRefusalHeaders({ audience, page }: EndpointDefinition, status: number): Json {
  const takesToken = !page && !audience.includes('anyone');
  const headers = {
    ...(status === 401 && takesToken && { 'WWW-Authenticate': CHALLENGE }),
    ...(status === 429 && { 'Retry-After': RETRY_AFTER }),
  };
  return Object.keys(headers).length === 0 ? {} : { headers: buildHeaders(headers) };
}

/** RFC 9110 §15.5.6: of no operation, since it is of the methods that a path does not have. */
const METHOD_NOT_ALLOWED = {
  description: 'Every path answers a method that it does not have with 405',
  headers: buildHeaders({ Allow: 'The methods that the path has' }),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const OAUTH_ERROR = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error', 'error_description'],
};

const MCP_ERROR = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] };

function buildRefusal(endpoint: EndpointDefinition, status: number, toSchema: SchemaConverter): Json {
  if (status < 300) return {};
  if (endpoint.dialect === 'oauth') return { content: { 'application/json': { schema: OAUTH_ERROR } } };
  if (endpoint.dialect === 'page')
    return {
      content: {
        'text/html': { schema: { type: 'string', description: 'A page that says what to do' } },
        'application/json': { schema: OAUTH_ERROR },
      },
    };
  if (endpoint.dialect === 'mcp') {
    // A message at fault is answered in JSON-RPC, a caller without permission in HTTP.
    const isMessage = [400, 404, 413, 415].includes(status);
    const schema = isMessage ? { $ref: '#/components/schemas/JsonRpcResponse' } : MCP_ERROR;
    return { content: { 'application/json': { schema } } };
  }
  if (endpoint.dialect === 'fhir')
    return { content: { 'application/fhir+json': { schema: toSchema(OperationOutcome, 'output') } } };
  return { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
}
