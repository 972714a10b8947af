import { escapeHtml, renderSentence, toSlug } from '../html.ts';
import type { DocsPage } from '../layout.ts';
import { readSource } from '../read-source.ts';
import { renderCode } from '../render-markdown.ts';
import { renderOperation, type Call, type Operation } from './operation.ts';
import { renderProperties, renderType, type Schema } from './schema.ts';

interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, { post: Operation }>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    securitySchemes: Readonly<
      Record<string, { type: string; in?: string; name?: string; description?: string }>
    >;
  };
}

/**
 * Builds the API reference from the OpenAPI document. Of the libraries that do this, Scalar, Redoc and RapiDoc do not run
 * under our policy (styles written inline by each, requests to their makers' hosts and fonts); Swagger UI does, and is
 * 460 kB of script whose pages fail axe in contrast, headings and names. A reference needs no program in the browser.
 */
export function buildReference(): DocsPage[] {
  const document = JSON.parse(readSource('docs/openapi.json')) as OpenApiDocument;
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Call => ({ method, path, operation })),
  );
  const byTag = [...Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? 'Other')].toSorted(
    ([one], [other]) => one.localeCompare(other),
  );
  const { schemas } = document.components;
  return [
    { title: 'Overview', href: '/docs/api/', html: renderOverview(document, byTag) },
    ...byTag.map(([tag, own]): DocsPage => ({
      title: tag,
      href: toTagAddress(tag),
      sections: own.map(({ operation }) => ({
        title: operation.operationId,
        href: `#${operation.operationId}`,
      })),
      html: `<h1>${escapeHtml(tag)}</h1>\n${own.map((call) => renderOperation(call, schemas)).join('')}`,
    })),
    buildEventsPage(document),
    buildTypesPage(schemas),
  ];
}

const toTagAddress = (tag: string): string => `/docs/api/${toSlug(tag)}`;

function renderOverview(
  document: OpenApiDocument,
  byTag: readonly (readonly [string, readonly Call[]])[],
): string {
  const tags = byTag.map(([tag, calls]) => {
    const rows = calls.map(
      ({ method, path, operation }) =>
        `<li><a href="${toTagAddress(tag)}#${operation.operationId}">${renderSentence(operation.summary)}</a><br><span class="small"><strong>${method.toUpperCase()}</strong> <code>${escapeHtml(path)}</code></span></li>`,
    );
    return `<section><h2>${escapeHtml(tag)}</h2><ul class="docs-list">${rows.join('')}</ul></section>`;
  });
  const schemes = Object.entries(document.components.securitySchemes).map(
    ([name, scheme]) =>
      `<dt><code>${escapeHtml(name)}</code></dt><dd><p>${renderSentence(scheme.description ?? 'A JSON Web Token in the header `authorization`')}</p></dd>`,
  );
  return `<h1>API reference</h1>
<p class="lead">${escapeHtml(document.info.description)} Version ${escapeHtml(document.info.version)}. The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
<section><h2 id="tokens">Get a token</h2><p>A program of an organization exchanges its API key for a token of an hour, and sends that with each call. Roles and permissions stand with each call below.</p>
${renderCode(`TOKEN=$(curl -sS "$BASE/v1/auth/token" -H 'content-type: application/json' \\\n  -d '{"apiKey": "…", "apiSecret": "…"}' | jq -r .token)`)}</section>
<section><h2 id="errors">Errors</h2><p>A refusal of <code>/v1</code> is a <a href="/docs/api/types#Problem">Problem</a> (RFC 9457): its <code>code</code> is stable, its <code>detail</code> is for a person, its <code>errors</code> name the fields at fault. OAuth answers as RFC 6749, FHIR with an OperationOutcome, MCP with JSON-RPC.</p></section>
<section><h2 id="credentials">Credentials</h2><dl class="api-answers">${schemes.join('')}</dl></section>
${tags.join('\n')}
`;
}

/** The requests that the service itself makes, to receivers of events. */
function buildEventsPage({ webhooks }: OpenApiDocument): DocsPage {
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const [body] = Object.values(post.requestBody?.content ?? {});
    return `<section class="api-call"><h2 id="${type}">${escapeHtml(type)}</h2><p>${renderSentence(post.summary)}</p><h3>Body</h3>${renderProperties(body?.schema ?? {})}<h3>Example</h3>${renderCode(JSON.stringify(body?.example, null, 2))}</section>\n`;
  });
  return {
    title: 'Events',
    href: '/docs/api/events',
    sections: Object.keys(webhooks).map((type) => ({ title: type, href: `#${type}` })),
    html: `<h1>Events</h1><p class="lead">What the service posts to the endpoints of webhooks. <a href="/docs/webhooks">Receiving and verifying them</a> is a guide of its own.</p>\n${events.join('')}`,
  };
}

function buildTypesPage(schemas: Readonly<Record<string, Schema>>): DocsPage {
  const sorted = Object.entries(schemas).toSorted(([one], [other]) => one.localeCompare(other));
  const types = sorted.map(([name, schema]) => {
    const description =
      schema.description === undefined ? '' : `<p>${renderSentence(schema.description)}</p>`;
    const properties = renderProperties(schema);
    return `<section class="api-call"><h2 id="${name}">${name}</h2>${description}${properties || `<p>${renderType(schema)}</p>`}</section>\n`;
  });
  return {
    title: 'Types',
    href: '/docs/api/types',
    html: `<h1>Types</h1><p class="lead">What several calls take or answer.</p>\n${types.join('')}`,
  };
}
