import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { createOutboundClient, type OutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { en } from '../harness/words.ts';
import { REDIRECT_URI, registerClient, type QueryParameters } from '../harness/authorization.ts';
import {
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import { assertAbsent } from '../harness/page-assertions.ts';
import { newTestPatient, type TestPatient } from '../harness/service.ts';
import { certificate, startTlsServer, type Listener } from '../harness/tls/server.ts';

const DOCUMENT = 'https://agent.example/oauth/client.json';

/** The guard of production, to which agent.example is the server of this test. */
function createListenerClient(port: number): OutboundClient {
  const guard = createOutboundClient({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    permits: (address) => address === '127.0.0.1',
    ca: certificate,
  });
  return {
    request: (request) =>
      guard.request({ ...request, url: request.url.replace(/^(https:\/\/[^/:]+)\//, `$1:${port}/`) }),
  };
}

let fixtures: BrowserFixtures;
let patient: TestPatient;
let documents: Listener;
before(async () => {
  documents = await startTlsServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ client_id: DOCUMENT, client_name: 'Documented agent', redirect_uris: [REDIRECT_URI] }),
    );
  });
  fixtures = await openBrowserFixtures({ pictures: 'plain', outbound: createListenerClient(documents.port) });
  patient = await newTestPatient(fixtures.service, { consent: false });
});
after(async () => {
  await fixtures.stop();
  await documents.stop();
});

/** The review of a request, and the part of it that names the requester. */
async function openClientReview(
  t: TestContext,
  parameters: QueryParameters,
): Promise<{ tab: Page; who: string }> {
  const browser = await newBrowser(t, fixtures);
  const tab = await browser.newTab();
  await tab.goto(fixtures.agent.connectUrl(parameters));
  // Who asks stands above the password too.
  await waitForScreen(tab, 'sign-in');
  const asked = await tab.locator('.asker').textContent();
  await browser.signIn(patient);
  await tab.reload();
  await openReview(tab);
  const section = tab
    .locator('section')
    .filter({ has: tab.getByRole('heading', { name: en.review.who.title }) });
  const who = (await section.textContent()) ?? '';
  assert.ok(who.includes(asked ?? '–'), 'the same on both screens');
  return { tab, who };
}

async function registerParameters(metadata: object): Promise<QueryParameters> {
  const redirectUris = [REDIRECT_URI];
  const client = await registerClient(fixtures.service, { redirect_uris: redirectUris, ...metadata });
  return { client_id: client.client_id as string, redirect_uri: client.redirect_uris[0] as string };
}

describe('who asks, on the page', () => {
  it('is the name an app gave itself, that nobody checked, and the host the answer goes to', async (t) => {
    const { who } = await openClientReview(t, await registerParameters({ client_name: 'Pill helper' }));
    assert.ok(who.includes('Pill helper'));
    assert.ok(who.includes(en.requester.unverified));
    assert.ok(who.includes(en.requester.answersTo('agent.example')));
    assert.ok(!who.includes(en.requester.startedYourself));
    assert.ok(who.includes(en.review.who.firstSeen));
  });

  it('is verified by the host of its metadata document', async (t) => {
    const { who } = await openClientReview(t, { client_id: DOCUMENT, redirect_uri: REDIRECT_URI });
    assert.ok(who.includes('Documented agent'));
    assert.ok(who.includes(en.requester.verified('agent.example')));
    assert.ok(!who.includes(en.requester.unverified));
  });

  it('is a program on this device, with a warning', async (t) => {
    for (const uri of ['http://127.0.0.1:7777/callback', 'cursor://anysphere.cursor-mcp/callback']) {
      const { who } = await openClientReview(t, await registerParameters({ redirect_uris: [uri] }));
      assert.ok(who.includes(en.requester.startedYourself), uri);
      assert.ok(
        who.includes(en.requester.answersTo(uri.startsWith('http') ? en.requester.thisDevice : 'cursor:')),
        who,
      );
    }
  });

  it('is distinguished from another one whose name it takes by what it cannot choose', async (t) => {
    const name = 'Cl\u0430ude';
    const { tab, who } = await openClientReview(t, await registerParameters({ client_name: name }));
    await tab.getByRole('heading', { name: en.review.title(name) }).waitFor();
    assert.ok(who.includes(en.requester.unverified) && who.includes('agent.example'));
    await tab.getByText(en.requester.unverified).waitFor();
    await tab.getByText(en.requester.looksLike(name, 'Claude')).waitFor();
    await tab.getByText(en.requester.answersTo('agent.example')).waitFor();
  });

  it('that calls itself by HTML is shown as it wrote it, and nothing of it runs', async (t) => {
    const name = '<img src=x onerror=alert(1)><b>Verified by claude.ai</b>';
    const { tab, who } = await openClientReview(t, await registerParameters({ client_name: name }));
    await tab.getByRole('heading', { name: en.review.title(name) }).waitFor();
    assert.ok(who.includes(name) && who.includes(en.requester.unverified));
    await assertAbsent(tab.locator('main img, main b'));
  });

  it('without a name is called so; with an endless one is cut, so that ours is still read', async (t) => {
    const nameless = await registerParameters({ client_name: undefined });
    assert.ok((await openClientReview(t, nameless)).who.includes(en.common.unnamedClient));
    const endless = await registerParameters({ client_name: `Agent ${'x'.repeat(190)}` });
    const { who } = await openClientReview(t, endless);
    assert.ok(who.includes(en.requester.unverified) && !who.includes('x'.repeat(60)));
  });

  it('written from right to left does not turn our sentences around', async (t) => {
    const name = 'سجل صحي';
    const { tab } = await openClientReview(t, await registerParameters({ client_name: name }));
    const [first, second] = await tab.evaluate<[number, number]>(`
      const text = document.querySelector('h1').firstChild;
      [0, text.data.indexOf(' ')].map((place) => {
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        return range.getBoundingClientRect().left;
      })`);
    assert.ok(first < second, 'our words run from left to right');
  });
});
