import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { RecordSource } from '../../server/surfaces/oauth/requests/prepare-records.ts';
import { en } from '../harness/words.ts';
import { callMcp } from '../harness/authorization.ts';
import {
  waitForAgent,
  fastForwardTo,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  type PersonBrowser,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import { call, newTestPatient, generateRecordArchive, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
let patient: TestPatient;
/** What is connected for whoever consents next. */
let connected: RecordSource[] = [];
before(async () => {
  fixtures = await openBrowserFixtures({ connectedSources: async () => connected });
  patient = await newTestPatient(fixtures.service, { consent: false });
});
after(() => fixtures.stop());
beforeEach(() => {
  connected = [];
});

const { states } = en.processing;

async function allow(browser: PersonBrowser): Promise<Page> {
  await browser.signIn(patient);
  const tab = await browser.newTab();
  await tab.goto(fixtures.agent.connectUrl());
  await openReview(tab);
  await press(tab, en.review.allow);
  return tab;
}

const findLine = (tab: Page, source: string, state: string) =>
  tab.getByRole('listitem').filter({ hasText: source }).filter({ hasText: state });

describe('between the decision and the agent', () => {
  it('a slow source is waited for, shown, also after a reload; then it goes on by itself', async (t) => {
    const { agent } = fixtures;
    const gate = Promise.withResolvers<void>();
    connected = [
      { name: 'Riverside Hospital', fetch: () => gate.promise },
      { name: 'Hill Clinic', fetch: async () => undefined },
    ];
    const browser = await newBrowser(t, fixtures);
    const tab = await allow(browser);
    await findLine(tab, 'Riverside Hospital', states.running).waitFor();
    await findLine(tab, 'Hill Clinic', states.done).waitFor();
    await tab.getByText(en.processing.summary(1, 2)).waitFor({ state: 'attached' });
    await waitForScreen(tab, 'processing');
    await tab.reload();
    await waitForScreen(tab, 'processing');
    const visits = agent.visits.length;
    assert.equal((await browser.getInteraction(tab)).status, 'processing');
    gate.resolve();
    const { code } = await waitForAgent(tab, agent);
    assert.equal(agent.visits.length, visits + 1);
    assert.equal((await agent.exchange(code)).status, 200);
  });

  it('a failing source is named, and keeps nobody from going on', async (t) => {
    const { service, agent } = fixtures;
    const gate = Promise.withResolvers<void>();
    connected = [
      { name: 'Closed clinic', fetch: () => Promise.reject(new Error('unreachable')) },
      { name: 'Open clinic', fetch: () => gate.promise },
    ];
    const browser = await newBrowser(t, fixtures);
    const tab = await allow(browser);
    await findLine(tab, 'Closed clinic', states.failed).waitFor();
    await tab.getByRole('status').getByText(en.processing.failed).waitFor();
    await waitForScreen(tab, 'processing');
    gate.resolve();
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    assert.equal((await callMcp(service, tokens.body.access_token as string, 'tools/call')).status, 200);
  });

  it('a source that does not answer is named, and one goes on without it', async (t) => {
    const { service, agent } = fixtures;
    const gate = Promise.withResolvers<void>();
    connected = [
      { name: 'Riverside Hospital', fetch: () => Promise.resolve('later') },
      { name: 'Open clinic', fetch: () => gate.promise },
    ];
    const browser = await newBrowser(t, fixtures);
    const tab = await allow(browser);
    await findLine(tab, 'Riverside Hospital', states.later).waitFor();
    await tab.getByRole('status').getByText(en.processing.later('Riverside Hospital')).waitFor();
    const visits = agent.visits.length;
    gate.resolve();
    await waitForScreen(tab, 'go-on');
    await tab.getByText(en.goOnWithout.text('Riverside Hospital')).waitFor();
    assert.equal(agent.visits.length, visits);
    await press(tab, en.goOnWithout.goOn);
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    assert.equal((await callMcp(service, tokens.body.access_token as string, 'tools/call')).status, 200);
  });

  it('an upload that is being read is waited for, and what it held is there for the first call', async (t) => {
    const { service, agent } = fixtures;
    // Keeps the request from being ready before it was looked at.
    const gate = Promise.withResolvers<void>();
    connected = [{ name: 'Open clinic', fetch: () => gate.promise }];
    const archive = await generateRecordArchive({ years: 2 });
    const form = new FormData();
    form.append('file', new Blob([fs.readFileSync(archive)]), 'archive.zip');
    fs.rmSync(path.dirname(archive), { recursive: true });
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(patient);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    await openReview(tab);
    // In the last moment before the decision arrives: the picture of the page takes longer than to read an upload.
    let accepted = 0;
    await tab.route('**/oauth/interaction/*', async (route) => {
      if (route.request().method() === 'POST') {
        const url = `/v1/patients/${patient.id}/upload-documents`;
        accepted = (await call(service, url, { token: patient.token, body: form })).status;
      }
      await route.fallback();
    });
    await press(tab, en.review.allow);
    await tab.getByRole('listitem').filter({ hasText: en.processing.uploads }).waitFor();
    assert.equal(accepted, 202);
    await waitForScreen(tab, 'processing');
    gate.resolve();
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    const summary = await callMcp(service, tokens.body.access_token as string, 'tools/call');
    assert.match(summary.body.result.content[0].text as string, /## Conditions|## Active/i);
  });

  it('says when the service cannot be reached, and goes on when it can', async (t) => {
    const { agent } = fixtures;
    const gate = Promise.withResolvers<void>();
    connected = [{ name: 'Riverside Hospital', fetch: () => gate.promise }];
    const browser = await newBrowser(t, fixtures);
    await browser.context.clock.install();
    const tab = await allow(browser);
    await waitForScreen(tab, 'processing');
    const unreachable = '**/oauth/interaction/*';
    await tab.route(unreachable, (route) => route.abort('aborted'));
    await fastForwardTo(tab, tab.getByText(en.processing.lost));
    await waitForScreen(tab, 'processing');
    await tab.unroute(unreachable);
    gate.resolve();
    await fastForwardTo(tab, tab.getByRole('heading', { name: 'Connected' }));
    assert.equal((await agent.exchange((await waitForAgent(tab, agent))['code'])).status, 200);
  });
});
