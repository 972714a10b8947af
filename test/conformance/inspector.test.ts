import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runNode, type ExitResult } from '../harness/process.ts';
import { newTestPatient, startTestService, type TestPatient, type TestService } from '../harness/service.ts';
import { SPECIFIED_TOOLS } from '../mcp/specified-tools.ts';

let service: TestService;
let patient: TestPatient;
let home: string;
before(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-inspector-'));
  service = await startTestService();
  patient = await newTestPatient(service);
});
after(async () => {
  await service.stop();
  fs.rmSync(home, { recursive: true, force: true });
});

/** Its settings are separate from those of the person who runs the tests. */
const inspect = (era: string, args: readonly string[], token = patient.token): Promise<ExitResult> =>
  runNode(
    'node_modules/.bin/mcp-inspector',
    [
      '--cli',
      '--server-url',
      `${service.baseUrl}/mcp`,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--header',
      `Authorization: Bearer ${token}`,
      ...args,
    ],
    { environment: { HOME: home } },
  );

describe('the official inspector', () => {
  for (const era of ['legacy', 'auto', 'modern']) {
    it(`finds the tools' schemas portable and calls a tool: ${era}`, async () => {
      const listed = await inspect(era, ['--method', 'tools/list', '--strict']);
      assert.deepEqual([listed.code, listed.stderr], [0, '']);
      assert.equal((JSON.parse(listed.stdout) as { tools: unknown[] }).tools.length, SPECIFIED_TOOLS.length);
      const called = await inspect(era, [
        '--method',
        'tools/call',
        '--tool-name',
        'get_labs',
        '--tool-arg',
        'years=2',
        '--format',
        'json',
      ]);
      assert.equal(called.code, 0, called.stderr);
      const { result } = JSON.parse(called.stdout) as { result: { content: { text: string }[] } };
      assert.match(result.content[0]?.text ?? '', /^# Laboratory results/);
    });
  }

  it('reports that a token is required', async () => {
    const { code } = await inspect('legacy', ['--method', 'tools/list', '--stored-auth-only'], 'garbage');
    assert.equal(code, 3);
  });
});
