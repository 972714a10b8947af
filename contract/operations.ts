import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';

const tag = 'Service';

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  name: 'getHealth',
  summary: 'Liveness: the process runs',
  tag,
  audience: ['anyone'],
  response: z.object({ status: z.literal('ok') }),
});

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  name: 'getReadiness',
  summary: 'Readiness: the process and its store answer',
  tag,
  audience: ['anyone'],
  response: z.object({
    status: z.literal('ready'),
    store: z.enum(['embedded', 'postgresql']),
  }),
  refusals: {
    503: 'The store does not answer, its clock and that of the process are more than two seconds apart, or the process is stopping',
  },
});

export const getMetrics = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  name: 'getMetrics',
  summary:
    'Counters in the Prometheus text format; no personal data in any label. Served here only when a token is configured',
  tag,
  audience: ['anyone'],
  operatorToken: true,
  produces: 'text/plain',
  response: z.string(),
  refusals: {
    401: 'The request has no bearer token, or another than CHARTGATE_METRICS_TOKEN',
    404: 'No token is configured: metrics are not served on this port',
  },
});

export const getOpenApi = defineEndpoint({
  method: 'GET',
  path: '/openapi.json',
  name: 'getOpenApi',
  summary: 'This document (OpenAPI 3.1)',
  tag,
  audience: ['anyone'],
  cors: true,
  response: z.record(z.string(), z.unknown()),
});

export const getServiceIndex = defineEndpoint({
  method: 'GET',
  path: '/',
  name: 'getServiceIndex',
  summary: 'Where to go: a page for people, who accept HTML, and addresses for programs',
  tag,
  audience: ['anyone'],
  query: z.object({
    lang: z.enum(['en', 'es']).optional().describe("The page's language; that of the browser by default"),
  }),
  response: z.object({
    name: z.literal('chartgate'),
    version: z.string(),
    description: z.string(),
    documentation: z.string().describe('Guides and the API reference'),
    openapi: z.string(),
    mcp: z.string().describe('The MCP endpoint of the default project'),
    fhir: z.string(),
    authorizationServer: z.string().describe('The metadata of RFC 8414'),
    myData: z.string().describe("The patient's own page"),
    console: z.string().describe('For members of an organization'),
  }),
  alternatives: { 'text/html': z.string() },
  refusals: { 405: 'Asked for an event stream alone, which `POST /` has none of' },
});
