import { escapeHtml, renderSentence } from '../html.ts';
import { renderCode } from '../render-markdown.ts';
import { buildExample, type Schemas } from './example.ts';
import { renderField, renderProperties, renderType, type Schema } from './schema.ts';

interface Content {
  schema?: Schema;
  example?: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: readonly string[];
  security?: readonly Readonly<Record<string, unknown>>[];
  'x-permission'?: string;
  'x-roles'?: readonly string[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Content>> };
  responses: Readonly<
    Record<string, { description: string; content?: Readonly<Record<string, Content>>; headers?: object }>
  >;
}

export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** Renders one call: who may make it, what it takes, an example, and every answer. */
export function renderOperation({ method, path, operation }: Call, schemas: Schemas): string {
  const { operationId, summary } = operation;
  return `<section class="api-call"><h2 id="${operationId}">${renderSentence(summary)} <a class="anchor" href="#${operationId}" aria-label="Link to ${operationId}">#</a></h2>
<p class="api-address"><strong>${method.toUpperCase()}</strong> <code>${escapeHtml(path)}</code></p>
<p class="small soft">${renderCallers(operation)}</p>
${renderParameters(operation)}${renderBody(operation)}${renderExample({ method, path, operation }, schemas)}${renderResponses(operation)}</section>
`;
}

/** Names of `securitySchemes` in words. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  bearer: 'a bearer token',
  operator: 'the operator’s token',
  session: 'a session of the patient’s page',
  console: 'a session of the console',
  browser: '',
  csrf: 'the page’s CSRF token',
};

function renderCallers(operation: Operation): string {
  const { security = [], 'x-permission': permission, 'x-roles': roles = [] } = operation;
  const ways = security.map((way) =>
    Object.keys(way)
      .map((name) => CREDENTIALS[name] ?? name)
      .filter((name) => name !== '')
      .join(' with '),
  );
  const needed =
    ways.length === 0 ? 'Open to anyone.' : `Needs ${ways.map((way) => way || 'nothing').join(', or ')}.`;
  if (permission === undefined) return escapeHtml(needed);
  return `${escapeHtml(needed)} Permission <code>${escapeHtml(permission)}</code>: ${escapeHtml(roles.join(', '))}.`;
}

function renderParameters({ parameters = [] }: Operation): string {
  return ['path', 'query', 'header']
    .map((place) => {
      const own = parameters.filter((parameter) => parameter.in === place);
      if (own.length === 0) return '';
      const fields = own.map(({ name, required, schema, description }) =>
        renderField(name, description === undefined ? schema : { ...schema, description }, required),
      );
      const title = { path: 'In the path', query: 'Query', header: 'Headers' }[place];
      return `<h3>${title}</h3><dl class="api-fields">${fields.join('')}</dl>\n`;
    })
    .join('');
}

const renderBody = ({ requestBody }: Operation): string =>
  Object.entries(requestBody?.content ?? {})
    .map(
      ([type, { schema = {} }]) =>
        `<h3>Body</h3><p class="small soft">${escapeHtml(type)}${requestBody?.required ? '' : ', optional'}</p>${renderValue(schema)}\n`,
    )
    .join('');

/** Renders a value: its type where it has a name or is no object, else its properties. */
function renderValue(schema: Schema): string {
  const properties = renderProperties(schema);
  return schema.properties ? properties : `<p>${renderType(schema)}</p>${properties}`;
}

/** Builds the call for a shell with `BASE` and `TOKEN`; none for a call of our own pages, which a shell does not make. */
function renderExample({ method, path, operation }: Call, schemas: Schemas): string {
  const { security = [], requestBody, parameters = [] } = operation;
  const takesToken = security.some((way) => 'bearer' in way || 'operator' in way);
  if (!takesToken && security.length > 0) return '';
  const json = requestBody?.content['application/json'] ?? requestBody?.content['application/fhir+json'];
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(buildExample(schema, schemas)))}`);
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${toVariable(name)}`);
  const lines = [
    `curl -sS${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$BASE${address.replaceAll('$everything', '\\$everything')}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    ...(takesToken ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(json ? ["-H 'content-type: application/json'"] : []),
    ...(json?.schema ? [`-d '${JSON.stringify(buildExample(json.schema, schemas), null, 2)}'`] : []),
  ];
  return `<h3>As curl</h3>${renderCode(lines.join(' \\\n  '))}`;
}

/** `orgId` → `ORG_ID`. */
const toVariable = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function renderResponses({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const bodies = Object.entries(content);
    const types = bodies.map(
      ([type, { schema = {} }]) => `<p class="small soft">${escapeHtml(type)}</p>${renderValue(schema)}`,
    );
    const isRefusal = bodies.every(([type]) => type === 'application/problem+json');
    return `<dt><code>${status}</code></dt><dd><p>${renderSentence(description)}</p>${isRefusal ? '' : types.join('')}</dd>`;
  });
  return `<h3>Answers</h3><dl class="api-answers">${rows.join('')}</dl>\n`;
}
