import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { followAuthorization, runWithAuthorization } from '../harness/follow-authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';
import { SPECIFIED_TOOLS } from '../mcp/specified-tools.ts';

const DOCUMENT_URL = 'https://inspector.example/client.json';
const DOCUMENT = { client_id: DOCUMENT_URL, redirect_uris: ['http://127.0.0.1/oauth/callback'] };

let service: TestService;
let home: string;
let callback: string;
/** The URL to which it sent the patient. */
let authorizationUrls: URL[];
before(async () => {
  service = await startTestService({
    outbound: {
      request: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(DOCUMENT)),
      }),
    },
  });
});
beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-inspector-'));
  callback = `http://127.0.0.1:${await findFreePort()}/oauth/callback`;
  authorizationUrls = [];
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));
after(() => service.stop());

/** With its own settings, and nothing on its PATH that could open a real browser; it prints the URL too. */
const ENVIRONMENT = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file', PATH: '' };

async function inspect(args: readonly string[], decision: 'grant' | 'deny' = 'grant') {
  const patient = await newTestPatient(service, { consent: false });
  return runWithAuthorization(
    'node_modules/.bin/mcp-inspector',
    [
      '--cli',
      `--server-url=${service.baseUrl}/mcp`,
      '--transport=http',
      '--format=json',
      `--callback-url=${callback}`,
      ...args,
    ],
    {
      environment: { ...ENVIRONMENT, HOME: home },
      async open(authorizationUrl) {
        authorizationUrls.push(authorizationUrl);
        return followAuthorization(await createSignedInBrowser(service, patient), authorizationUrl, {
          decision,
        });
      },
    },
  );
}

const LIST = ['--method', 'tools/list'];

async function assertListsTools(more: readonly string[] = []): Promise<void> {
  const { code, stdout, stderr } = await inspect([...LIST, ...more]);
  assert.equal(code, 0, stderr);
  const { result } = JSON.parse(stdout) as { result: { tools: unknown[] } };
  assert.equal(result.tools.length, SPECIFIED_TOOLS.length);
}

describe('the official inspector, signing in by itself', () => {
  it('asks the patient once, reuses its stored tokens, refreshes, and asks again on request', async () => {
    await assertListsTools();
    assert.equal(authorizationUrls.length, 1);
    for (const era of ['legacy', 'auto', 'modern'])
      await assertListsTools(['--stored-auth-only', '--protocol-era', era]);
    service.clock.advance(3_601_000);
    await assertListsTools(['--stored-auth-only']);
    assert.equal(authorizationUrls.length, 1);
    await assertListsTools(['--relogin']);
    assert.equal(authorizationUrls.length, 2);
  });

  it("shows our description of the patient's refusal", async () => {
    const { code, stderr } = await inspect(LIST, 'deny');
    assert.equal(code, 1);
    assert.match(stderr, /The patient denied the request or withdrew the consent/);
  });

  it('identifies itself by the URL of its metadata document', async () => {
    await assertListsTools(['--client-metadata-url', DOCUMENT_URL]);
    assert.equal(authorizationUrls[0]?.searchParams.get('client_id'), DOCUMENT_URL);
  });
});
