import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { signedInBrowser } from '../harness/authorization.ts';
import { followAuthorization, runAsking } from '../harness/follow-authorization.ts';
import { freePort } from '../harness/postgres.ts';
import { newTestPatient, testService, type TestService } from '../harness/service.ts';

const DOCUMENT_URL = 'https://inspector.example/client.json';
const DOCUMENT = { client_id: DOCUMENT_URL, redirect_uris: ['http://127.0.0.1/oauth/callback'] };

let service: TestService;
let home: string;
let callback: string;
/** Where it sent the patient. */
let asked: URL[];
before(async () => {
  service = await testService({
    egress: {
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
  callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  asked = [];
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));
after(() => service.stop());

/** With settings of its own, and nothing on its path that could open a real browser: it prints the address too. */
const ENVIRONMENT = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file', PATH: '' };

async function inspect(args: readonly string[], decision: 'grant' | 'deny' = 'grant') {
  const patient = await newTestPatient(service, { consent: false });
  return runAsking(
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
        asked.push(authorizationUrl);
        return followAuthorization(await signedInBrowser(service, patient), authorizationUrl, { decision });
      },
    },
  );
}

const LIST = ['--method', 'tools/list'];

async function listsTools(more: readonly string[] = []): Promise<void> {
  const { code, stdout, stderr } = await inspect([...LIST, ...more]);
  assert.equal(code, 0, stderr);
  const { result } = JSON.parse(stdout) as { result: { tools: unknown[] } };
  assert.equal(result.tools.length, 12);
}

describe('the official inspector, signing in by itself', () => {
  it('has the patient asked once, comes back with what it keeps, refreshes, and asks anew when told to', async () => {
    await listsTools();
    assert.equal(asked.length, 1);
    for (const era of ['legacy', 'auto', 'modern'])
      await listsTools(['--stored-auth-only', '--protocol-era', era]);
    service.clock.pass(3_601_000);
    await listsTools(['--stored-auth-only']);
    assert.equal(asked.length, 1);
    await listsTools(['--relogin']);
    assert.equal(asked.length, 2);
  });

  it("says the patient's no in our words", async () => {
    const { code, stderr } = await inspect(LIST, 'deny');
    assert.equal(code, 1);
    assert.match(stderr, /The patient did not allow it, or took it back/);
  });

  it('is known by the URL of a document', async () => {
    await listsTools(['--client-metadata-url', DOCUMENT_URL]);
    assert.equal(asked[0]?.searchParams.get('client_id'), DOCUMENT_URL);
  });
});
