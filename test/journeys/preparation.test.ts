import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { RecordSource } from '../../server/surfaces/oauth/requests/prepare-records.ts';
import {
  getRedirectParameters,
  buildAuthorizePath,
  callMcp,
  decideRequest,
  exchangeCode,
  newFlow,
  getRequestId,
  waitUntilReady,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  generateRecordArchive,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
/** What is connected for whoever consents next. */
let connected: RecordSource[] = [];
before(async () => {
  service = await startTestService({ connectedSources: async () => connected });
});
after(() => service.stop());
beforeEach(() => {
  connected = [];
});

async function grantRequest(flow: Flow): Promise<{ requestId: string; decided: HttpResponse }> {
  const { browser, client, pkce } = flow;
  const clientId = client.client_id as string;
  const requestId = getRequestId(
    await browser.get(buildAuthorizePath({ clientId, challenge: pkce.challenge })),
  );
  return { requestId, decided: await decideRequest(browser, requestId, 'grant') };
}

const getProgress = async ({ browser }: Flow, requestId: string): Promise<unknown> =>
  (await browser.get(`/oauth/interaction/${requestId}`)).body.progress as unknown;

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('between consent and code', () => {
  it('there is nothing to wait for when nothing is on its way', async () => {
    const { decided } = await grantRequest(await newFlow(service));
    assert.deepEqual(decided.body, { status: 'ready' });
  });

  it('a slow source is waited for, with its progress shown and no code to be had', async () => {
    const gate = Promise.withResolvers<void>();
    connected = [{ name: 'Riverside Hospital', fetch: () => gate.promise }];
    const flow = await newFlow(service);
    const { requestId, decided } = await grantRequest(flow);
    assert.deepEqual(decided.body, { status: 'processing' });
    await waitUntil(async () => JSON.stringify(await getProgress(flow, requestId)).includes('running'));
    assert.deepEqual(await getProgress(flow, requestId), [
      { source: 'Riverside Hospital', state: 'running' },
    ]);
    assert.equal((await flow.browser.get(`/oauth/complete/${requestId}`)).status, 400);
    gate.resolve();
    await waitUntilReady(flow.browser, requestId);
    assert.deepEqual(await getProgress(flow, requestId), [{ source: 'Riverside Hospital', state: 'done' }]);
    const { code } = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
    assert.equal((await exchangeCode(service, flow, code as string)).status, 200);
  });

  it('a failing source is named, and keeps nobody from going on', async () => {
    connected = [
      { name: 'Closed clinic', fetch: () => Promise.reject(new Error('unreachable')) },
      { name: 'Open clinic', fetch: () => Promise.resolve() },
    ];
    const flow = await newFlow(service);
    const { requestId } = await grantRequest(flow);
    await waitUntilReady(flow.browser, requestId);
    assert.deepEqual(await getProgress(flow, requestId), [
      { source: 'Closed clinic', state: 'failed' },
      { source: 'Open clinic', state: 'done' },
    ]);
  });

  it('a source that does not answer is left for later, and named so', async () => {
    connected = [
      { name: 'Riverside Hospital', fetch: () => Promise.resolve('later') },
      { name: 'Open clinic', fetch: () => Promise.resolve() },
    ];
    const flow = await newFlow(service);
    const { requestId } = await grantRequest(flow);
    await waitUntilReady(flow.browser, requestId);
    assert.deepEqual(await getProgress(flow, requestId), [
      { source: 'Riverside Hospital', state: 'later' },
      { source: 'Open clinic', state: 'done' },
    ]);
  });

  it('an upload that is being read is waited for, and what it held is there for the first call', async () => {
    const flow = await newFlow(service);
    const { patient } = flow;
    const archive = await generateRecordArchive({ years: 4 });
    const form = new FormData();
    form.append('file', new Blob([fs.readFileSync(archive)]), 'archive.zip');
    fs.rmSync(path.dirname(archive), { recursive: true });
    const accepted = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
      token: patient.token,
      body: form,
    });
    assert.equal(accepted.status, 202);
    const { requestId, decided } = await grantRequest(flow);
    assert.deepEqual(decided.body, { status: 'processing' });
    assert.match(JSON.stringify(await getProgress(flow, requestId)), /"uploads"/);
    await waitUntilReady(flow.browser, requestId);
    const batch = `/v1/patients/${patient.id}/upload-documents/${accepted.body.batchId as string}`;
    assert.equal((await call(service, batch, { token: patient.token })).body.status, 'completed');
    const { code } = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
    const tokens = await exchangeCode(service, flow, code as string);
    const summary = await callMcp(service, tokens.body.access_token as string, 'tools/call');
    assert.match(summary.body.result.content[0].text as string, /## Conditions|## Active/i);
  });

  it('the request lives on while its record is prepared, and an hour longer', async () => {
    const gate = Promise.withResolvers<void>();
    connected = [{ name: 'Slow archive', fetch: () => gate.promise }];
    const flow = await newFlow(service);
    const { requestId } = await grantRequest(flow);
    await waitUntil(async () => JSON.stringify(await getProgress(flow, requestId)).includes('running'));
    service.clock.advance(55 * 60_000);
    gate.resolve();
    await waitUntilReady(flow.browser, requestId);
    service.clock.advance(55 * 60_000);
    assert.equal((await flow.browser.get(`/oauth/complete/${requestId}`)).status, 303);
  });
});
