import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

interface Content {
  content?: Record<string, { schema: Json }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  /** false: several values, separated by commas. */
  explode?: boolean;
  schema: Json;
}

interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content & { headers?: Json }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  [name: string]: unknown;
}

/** One call, as it went over the wire. */
export interface Exchange {
  method: string;
  /** With its query. */
  url: string;
  /** Sent as JSON; undefined: none. */
  json?: unknown;
  status: number;
  headers: Headers;
  body: unknown;
}

/** Answers that no operation lists: they are of the server as a whole. */
const GENERAL_STATUSES: ReadonlySet<number> = new Set([405]);

export interface OpenApiChecker {
  /** What the document says of a call that is not so; `operation` is null where the path is none of it. */
  check(exchange: Exchange): { operation: string | null; faults: string[] };
  /** What of a value its schema does not accept; the pointer is of the document. */
  validate(pointer: readonly string[], value: unknown): string[];
}

/** Checks calls against an OpenAPI 3.1 document, whose schemas are JSON Schema 2020-12. */
export function createOpenApiChecker(document: OpenApiDocument): OpenApiChecker {
  const routes = Object.keys(document.paths).map((path) => ({ path, pattern: toPattern(path) }));
  const validate = createPointerValidator(document, false);
  const validateText = createPointerValidator(document, true);

  function find(exchange: Exchange): { path: string; method: string; operation: Operation } | null {
    const [pathname = ''] = exchange.url.split('?');
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
    const [best] = routes
      .filter(({ path, pattern }) => pattern.test(pathname) && document.paths[path]?.[method])
      .toSorted((one, other) => countParameters(one.path) - countParameters(other.path));
    const operation = best && document.paths[best.path]?.[method];
    return operation ? { path: best.path, method, operation } : null;
  }

  return {
    validate,
    check(exchange) {
      const found = find(exchange);
      if (!found || GENERAL_STATUSES.has(exchange.status)) return { operation: null, faults: [] };
      const { path, method, operation } = found;
      const pointer = ['paths', path, method];
      const faults = [
        ...(exchange.status < 400
          ? checkRequest(operation, exchange, { pointer, validate, validateText })
          : []),
        ...checkResponse(operation, exchange, { pointer, validate }),
      ];
      return {
        operation: operation.operationId,
        faults: faults.map((fault) => `${operation.operationId} ${fault}`),
      };
    },
  };
}

type Validate = OpenApiChecker['validate'];

function checkRequest(
  operation: Operation,
  { url, json }: Exchange,
  { pointer, validate, validateText }: { pointer: string[]; validate: Validate; validateText: Validate },
): string[] {
  const query = new URL(url, 'http://localhost').searchParams;
  const faults = operation.parameters.flatMap((parameter, index) => {
    if (parameter.in !== 'query') return [];
    const value = query.get(parameter.name);
    if (value === null) return parameter.required ? [`query ${parameter.name}: required`] : [];
    const sent = parameter.explode === false ? value.split(',') : value;
    return validateText([...pointer, 'parameters', String(index), 'schema'], sent).map(
      (fault) => `query ${parameter.name}: ${fault}`,
    );
  });
  const { requestBody } = operation;
  if (json === undefined || !requestBody) {
    if (requestBody?.required && json === undefined && requestBody.content?.['application/json'])
      faults.push('request: a body is required');
    return faults;
  }
  const type = Object.keys(requestBody.content ?? {}).find((name) => name.includes('json'));
  if (type === undefined) return faults;
  return [
    ...faults,
    ...validate([...pointer, 'requestBody', 'content', type, 'schema'], json).map(
      (fault) => `request body ${fault}`,
    ),
  ];
}

function checkResponse(
  operation: Operation,
  { method, status, headers, body }: Exchange,
  { pointer, validate }: { pointer: string[]; validate: Validate },
): string[] {
  const response = operation.responses[String(status)];
  if (!response) return [`answers ${status}, which is not listed`];
  const type = headers.get('content-type')?.split(';')[0] ?? null;
  const types = Object.keys(response.content ?? {});
  if (types.length === 0) return body === '' ? [] : [`${status} has a body, which is not listed`];
  if (method === 'HEAD') return [];
  if (type === null || !types.includes(type)) return [`${status} is ${type}, not ${types.join(' or ')}`];
  return [
    ...checkTag(response, { status, headers }),
    ...validate([...pointer, 'responses', String(status), 'content', type, 'schema'], body).map(
      (fault) => `${status} body ${fault}`,
    ),
  ];
}

function checkTag(
  response: Operation['responses'][string],
  { status, headers }: Pick<Exchange, 'status' | 'headers'>,
): string[] {
  const isTagged = headers.has('etag');
  if (status !== 200 || isTagged === 'ETag' in (response.headers ?? {})) return [];
  return [`200 has ${isTagged ? 'an ETag that is not listed' : 'no ETag, which is listed'}`];
}

const countParameters = (path: string): number => path.split('{').length;

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);

/** Compiles what a pointer points at; `isText` reads values as parameters have them, where 7 is text. */
function createPointerValidator(document: OpenApiDocument, isText: boolean): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: isText, validateSchema: false });
  addFormats.default(ajv);
  // Says how a text is encoded, not which texts there are.
  ajv.addFormat('base64', true);
  ajv.addSchema(document, 'openapi.json');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const $ref = `openapi.json#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const isValid = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, isValid);
    return isValid(value)
      ? []
      : (isValid.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
        );
  };
}

/** Observes what a process asks of a service by `fetch`; returns the function that ends it. Bodies are read twice, never changed. */
export function observeFetch(baseUrl: string, onExchange: (exchange: Exchange) => void): () => void {
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(`${baseUrl}/`)) return response;
    const text = await response.clone().text();
    const type = response.headers.get('content-type') ?? '';
    const sent = new Headers(init?.headers).get('content-type') ?? '';
    onExchange({
      method: (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
      url: url.slice(baseUrl.length),
      ...(/[/+]json/.test(sent) && typeof init?.body === 'string' && { json: parseJson(init.body) }),
      status: response.status,
      headers: response.headers,
      body: /[/+]json/.test(type) ? parseJson(text) : text,
    });
    return response;
  };
  return () => {
    globalThis.fetch = original;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
