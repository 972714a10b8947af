import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startAuthProxy } from '../harness/auth-proxy.ts';
import { runNode } from '../harness/process.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let proxy: Awaited<ReturnType<typeof startAuthProxy>>;
let results: string;
before(async () => {
  results = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-conformance-'));
  service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });
  proxy = await startAuthProxy(service.baseUrl, (await newTestPatient(service)).token);
});
after(async () => {
  await proxy.stop();
  await service.stop();
  fs.rmSync(results, { recursive: true, force: true });
});

/** Scenarios that must never be listed as expected failures. */
const APPLICABLE = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-missing-input-response',
    'input-required-result-unsupported-methods',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
} as const;

describe('the official conformance suite', () => {
  for (const [revision, applicable] of Object.entries(APPLICABLE)) {
    it(`finds no unmet requirement of ${revision} for a server of text tools`, async () => {
      const baseline = path.join(import.meta.dirname, `expected-failures-${revision}.yml`);
      const { code, stdout } = await runNode('node_modules/.bin/conformance', [
        'server',
        `--url=${proxy.url}/mcp`,
        `--requirements=${revision}`,
        `--expected-failures=${baseline}`,
        `--output-dir=${results}`,
        '--timeout=60000',
      ]);
      const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='));
      for (const name of applicable)
        assert.match(summary, new RegExp(`^✓ ${name}: \\d+ passed, 0 failed`, 'm'));
      assert.equal(code, 0, summary);
    });
  }
});
