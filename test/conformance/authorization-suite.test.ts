import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { registerClient, createSignedInBrowser } from '../harness/authorization.ts';
import { followAuthorization, runWithAuthorization } from '../harness/follow-authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let results: string;
before(async () => {
  results = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-conformance-'));
  service = await startTestService();
});
after(async () => {
  await service.stop();
  fs.rmSync(results, { recursive: true, force: true });
});

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** All checks of all scenarios; a warning does not make the suite fail. */
const readChecks = (): Check[] =>
  fs
    .globSync('**/checks.json', { cwd: results })
    .flatMap((file) => JSON.parse(fs.readFileSync(path.join(results, file), 'utf8')) as Check[]);

describe('the official conformance suite for authorization servers', () => {
  it('finds no failure and no warning', async () => {
    const port = await findFreePort();
    // Without the port: a program on a device gets another one each time.
    const client = await registerClient(service, { redirect_uris: ['http://127.0.0.1/callback'] });
    const patient = await newTestPatient(service, { consent: false });
    const { code, stdout } = await runWithAuthorization(
      'node_modules/.bin/conformance',
      [
        'authorization',
        `--url=${service.baseUrl}`,
        `--client-id=${client.client_id}`,
        `--resource=${service.baseUrl}/mcp`,
        `--port=${port}`,
        `--output-dir=${results}`,
      ],
      {
        async open(authorizationUrl) {
          // The suite requests no scope; the browser that follows its link adds one.
          authorizationUrl.searchParams.set('scope', 'patient/*.read');
          return followAuthorization(await createSignedInBrowser(service, patient), authorizationUrl);
        },
      },
    );
    assert.equal(code, 0, stdout);
    const found = readChecks().map(({ id, status, errorMessage = '' }) => [id, status + errorMessage]);
    assert.deepEqual(Object.fromEntries(found), {
      'authorization-server-metadata': 'SUCCESS',
      'authorization-server-metadata-cimd': 'SUCCESS',
      'authorization-code-grant': 'SUCCESS',
    });
  });
});
