import fs from 'node:fs';
import path from 'node:path';
import { getServiceIndex } from '../../../contract/operations.ts';
import { acceptsEventsAlone } from '../../platform/http/accepts-events.ts';
import { negotiateLanguages, prefersPage } from '../../platform/http/error-page.ts';
import { methodNotAllowed } from '../../platform/http/method-not-allowed.ts';
import { PAGE_HEADERS, servePage } from '../../platform/http/pages.route.ts';
import { serveRaw, type Routes, parseQuery } from '../../platform/http/serve.ts';
import { VERSION } from '../../../contract/version.ts';

/** What `tools/docs-site` wrote. */
const DOCS = path.resolve(import.meta.dirname, '../../../web/docs/dist');

export interface DocsDeps {
  /** Where patients find their page. */
  consentAppUrl: string;
}

/** Registers the documentation, and `/`, which shows people where to go and gives programs the addresses. */
export function registerDocsRoutes(routes: Routes, { consentAppUrl }: DocsDeps): void {
  servePage(routes.app, { basePath: '/docs', folder: DOCS, extensions: ['html'] });
  const pages = { en: readHome('en', consentAppUrl), es: readHome('es', consentAppUrl) };
  serveRaw(routes, getServiceIndex, async ({ request, reply }) => {
    const { lang } = parseQuery(getServiceIndex.query, request.query);
    // A client of `POST /` asks whether there is a stream besides: its next word is to be that, not a page.
    if (acceptsEventsAlone(request.headers)) throw methodNotAllowed(['POST']);
    const { accept = '', 'accept-language': languages } = request.headers;
    reply.header('vary', 'Accept, Accept-Language');
    if (!prefersPage({ url: request.url, accept }))
      return reply.send(buildServiceIndex(routes.resolveBaseUrl(request), consentAppUrl));
    const [preferred = 'en'] = negotiateLanguages(languages ?? '');
    reply.headers(PAGE_HEADERS).header('cache-control', 'no-cache');
    return reply.type('text/html; charset=utf-8').send(pages[lang ?? preferred]);
  });
}

const readHome = (language: 'en' | 'es', consentAppUrl: string): string =>
  fs
    .readFileSync(path.join(DOCS, `home/${language}.html`), 'utf8')
    .replaceAll('%CONSENT_APP%', encodeURI(consentAppUrl));

const buildServiceIndex = (baseUrl: string, consentAppUrl: string) =>
  getServiceIndex.response.parse({
    name: 'chartgate',
    version: VERSION,
    description:
      "A patient's health record, read by an AI agent or a partner system only while the patient consents.",
    documentation: `${baseUrl}/docs/`,
    openapi: `${baseUrl}/openapi.json`,
    mcp: `${baseUrl}/mcp`,
    fhir: `${baseUrl}/FHIR/R4`,
    authorizationServer: `${baseUrl}/.well-known/oauth-authorization-server`,
    myData: `${consentAppUrl}/#/my-data`,
    console: `${baseUrl}/console/`,
  });
