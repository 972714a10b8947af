import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { RecordSource } from '../../server/oauth/requests/record-sources.ts';
import {
  answeredWith,
  authorizePath,
  callMcp,
  decideRequest,
  exchange,
  newFlow,
  requestIdOf,
  untilReady,
  type Flow,
} from '../harness/authorization.ts';
import { call, recordArchive, testService, type Answer, type TestService } from '../harness/service.ts';

let service: TestService;
/** What is connected for whoever consents next. */
let connected: RecordSource[] = [];
before(async () => {
  service = await testService({ connectedSources: async () => connected });
});
after(() => service.stop());
beforeEach(() => {
  connected = [];
});

async function granted(flow: Flow): Promise<{ requestId: string; decided: Answer }> {
  const { browser, client, pkce } = flow;
  const clientId = client.client_id as string;
  const requestId = requestIdOf(await browser.get(authorizePath({ clientId, challenge: pkce.challenge })));
  return { requestId, decided: await decideRequest(browser, requestId, 'grant') };
}

const progressOf = async ({ browser }: Flow, requestId: string): Promise<unknown> =>
  (await browser.get(`/oauth/interaction/${requestId}`)).body.progress as unknown;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('between consent and code', () => {
  it('there is nothing to wait for when nothing is on its way', async () => {
    const { decided } = await granted(await newFlow(service));
    assert.deepEqual(decided.body, { status: 'ready' });
  });

  it('a slow source is waited for, with its progress shown and no code to be had', async () => {
    const gate = Promise.withResolvers<void>();
    connected = [{ name: 'Riverside Hospital', fetch: () => gate.promise }];
    const flow = await newFlow(service);
    const { requestId, decided } = await granted(flow);
    assert.deepEqual(decided.body, { status: 'processing' });
    await until(async () => JSON.stringify(await progressOf(flow, requestId)).includes('running'));
    assert.deepEqual(await progressOf(flow, requestId), [{ source: 'Riverside Hospital', state: 'running' }]);
    assert.equal((await flow.browser.get(`/oauth/complete/${requestId}`)).status, 400);
    gate.resolve();
    await untilReady(flow.browser, requestId);
    assert.deepEqual(await progressOf(flow, requestId), [{ source: 'Riverside Hospital', state: 'done' }]);
    const { code } = answeredWith(await flow.browser.get(`/oauth/complete/${requestId}`));
    assert.equal((await exchange(service, flow, code as string)).status, 200);
  });

  it('a failing source is told, and keeps nobody from going on', async () => {
    connected = [
      { name: 'Closed clinic', fetch: () => Promise.reject(new Error('unreachable')) },
      { name: 'Open clinic', fetch: () => Promise.resolve() },
    ];
    const flow = await newFlow(service);
    const { requestId } = await granted(flow);
    await untilReady(flow.browser, requestId);
    assert.deepEqual(await progressOf(flow, requestId), [
      { source: 'Closed clinic', state: 'failed' },
      { source: 'Open clinic', state: 'done' },
    ]);
  });

  it('an upload that is being read is waited for, and what it held is there for the first call', async () => {
    const flow = await newFlow(service);
    const { patient } = flow;
    const archive = await recordArchive({ years: 4 });
    const form = new FormData();
    form.append('file', new Blob([fs.readFileSync(archive)]), 'archive.zip');
    fs.rmSync(path.dirname(archive), { recursive: true });
    const accepted = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
      token: patient.token,
      body: form,
    });
    assert.equal(accepted.status, 202);
    const { requestId, decided } = await granted(flow);
    assert.deepEqual(decided.body, { status: 'processing' });
    assert.match(JSON.stringify(await progressOf(flow, requestId)), /"uploads"/);
    await untilReady(flow.browser, requestId);
    const batch = `/v1/patients/${patient.id}/upload-documents/${accepted.body.batchId as string}`;
    assert.equal((await call(service, batch, { token: patient.token })).body.status, 'completed');
    const { code } = answeredWith(await flow.browser.get(`/oauth/complete/${requestId}`));
    const tokens = await exchange(service, flow, code as string);
    const summary = await callMcp(service, tokens.body.access_token as string, 'tools/call');
    assert.match(summary.body.result.content[0].text as string, /## Conditions|## Active/i);
  });

  it('the request lives on while its record is prepared, and an hour longer', async () => {
    const gate = Promise.withResolvers<void>();
    connected = [{ name: 'Slow archive', fetch: () => gate.promise }];
    const flow = await newFlow(service);
    const { requestId } = await granted(flow);
    await until(async () => JSON.stringify(await progressOf(flow, requestId)).includes('running'));
    service.clock.pass(55 * 60_000);
    gate.resolve();
    await untilReady(flow.browser, requestId);
    service.clock.pass(55 * 60_000);
    assert.equal((await flow.browser.get(`/oauth/complete/${requestId}`)).status, 303);
  });
});
