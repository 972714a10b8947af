import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { createUrlRewriter } from './rewrite-url.ts';

describe('the rewriting of URLs', () => {
  const rewrite = createUrlRewriter(ENDPOINTS);
  const id = '0192f7a1-0000-7000-8000-000000000000';
  for (const [method, url, expected] of [
    ['POST', '/mcp/', '/mcp'],
    ['OPTIONS', '/mcp/?a=b', '/mcp?a=b'],
    ['POST', `/projects/${id}/mcp/`, `/projects/${id}/mcp`],
    ['POST', '/', '/mcp'],
    ['OPTIONS', '/', '/mcp'],
    ['GET', '/', '/'],
    ['HEAD', '/', '/'],
    ['GET', '/?lang=es', '/?lang=es'],
    ['POST', '/mcp//', '/mcp//'],
    ['POST', '/projects/mcp/', '/projects/mcp/'],
    ['POST', '/v1/auth/token/', '/v1/auth/token/'],
    ['GET', `/FHIR/R4/Person/${id}/%24everything?_count=1`, `/FHIR/R4/Person/${id}/$everything?_count=1`],
    ['GET', `/FHIR/R4/Person/${id}/$everything`, `/FHIR/R4/Person/${id}/$everything`],
  ] as const)
    it(`makes ${method} ${url} ${expected}`, () => assert.equal(rewrite({ method, url }), expected));
});
