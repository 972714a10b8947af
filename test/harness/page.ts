import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page, Request } from 'playwright-core';
import type { Interaction } from '../../contract/oauth/interaction.ts';
import type { MyConsent } from '../../contract/account/my-consents.ts';
import { closeTakenContexts, releaseContext, takeContext, type ContextOptions } from './browser-contexts.ts';
import { openChromium } from './chromium.ts';
import { startListeningAgent, type ListeningAgent } from './listening-agent.ts';
import { servePlainPictures } from './plain-pictures.ts';
import { findFreePort, isPortFree } from './postgres.ts';
import { startTestService, type TestPatient, type TestService } from './service.ts';
import { stageAnswers, type StagedAnswers } from './staged-answers.ts';
import { en, es } from './words.ts';

type Pictures = 'drawn' | 'plain';

type FixtureOptions = NonNullable<Parameters<typeof startTestService>[0]> & {
  /** Of a decision: plain ones, where no test looks at them. */
  pictures?: Pictures;
};

/** Service, Chromium and agent of a file. */
export interface BrowserFixtures {
  service: TestService;
  chromium: Browser;
  agent: ListeningAgent;
  answers: StagedAnswers;
  stop(): Promise<void>;
}

/** People on a test's screen are not slowed down: the limits have tests of their own. */
const UNLIMITED = { CHARTGATE_OAUTH_RATE_LIMIT: '1000000' };

export async function openBrowserFixtures({
  pictures = 'drawn',
  ...options
}: FixtureOptions = {}): Promise<BrowserFixtures> {
  const port = await takePort(pictures);
  const environment = { ...UNLIMITED, PORT: String(port), ...options.environment };
  const [service, chromium] = await Promise.all([
    startTestService({ ...options, environment }),
    openChromium(),
  ]);
  const agent = await startListeningAgent(service);
  const answers = stageAnswers(service.app.server);
  if (pictures === 'plain') servePlainPictures(answers);
  return {
    service,
    chromium,
    agent,
    answers,
    async stop() {
      await closeTakenContexts();
      await agent.stop();
      await service.stop();
      freePorts.set(pictures, port);
    },
  };
}

const freePorts = new Map<Pictures, number>();

/** That of the file before whose scripts were the same, unless somebody has it: a browser keeps what it compiled by address. */
async function takePort(pictures: Pictures): Promise<number> {
  const port = freePorts.get(pictures);
  freePorts.delete(pictures);
  return port !== undefined && (await isPortFree(port)) ? port : findFreePort();
}

/** One person's browser: fails its test for whatever no person should meet, on any of its tabs. */
export interface PersonBrowser {
  context: BrowserContext;
  newTab(): Promise<Page>;
  /** Ends it: whoever opens a browser next finds nothing of this person's. */
  close(): Promise<void>;
  /** An answer of ours that is no success, such as `401 POST /account/sign-in`: a fault, unless it was expected. */
  expectRefusals(...refusals: string[]): void;
  /** Until every refusal that was expected has come: the page may ask again by itself, or hear of it before its test does. */
  waitForRefusals(): Promise<void>;
  /** Until nothing moves on a tab any more: its questions are answered, and what the answers say is drawn. */
  waitUntilStill(tab: Page): Promise<void>;
  /** Fails for what happened since it was last judged. */
  assertNoFaults(): void;
  /** Without the page: what it would have taken a password for. */
  signIn(patient: Pick<TestPatient, 'email' | 'password'>): Promise<void>;
  /** What the service says of a request, in this browser. */
  getInteraction(tab: Page): Promise<Interaction>;
  /** What the service holds of the person signed in. */
  listConsents(): Promise<MyConsent[]>;
}

/** Ends what hangs; a busy machine may take many seconds over a screen. */
export const TIMEOUT_MS = 60_000;

export const PHONE = { width: 375, height: 740 };
/** The narrowest that is promised: WCAG 2.2 §1.4.10. */
export const NARROW = { width: 320, height: 640 };
export const DESKTOP = { width: 1280, height: 860 };

/** A browser that nobody used before, closed and judged after the test. */
export async function newBrowser(
  test: TestContext,
  fixtures: BrowserFixtures,
  options: ContextOptions = {},
): Promise<PersonBrowser> {
  const browser = await openBrowser(fixtures, options);
  test.after(async () => {
    await browser.waitForRefusals();
    await browser.close();
    browser.assertNoFaults();
  });
  return browser;
}

/** Likewise; whoever opens it closes and judges it. */
export async function openBrowser(
  { chromium, service, agent }: BrowserFixtures,
  options: ContextOptions = {},
): Promise<PersonBrowser> {
  const context = await takeContext(chromium, { locale: 'en-US', viewport: PHONE, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const { origin } = new URL(service.baseUrl);
  const watcher = watchBrowser(origin, agent.origin);
  context.on('page', watcher.page);
  const api = async (url: string): Promise<unknown> =>
    (await context.request.get(service.baseUrl + url)).json();
  const browser: PersonBrowser = {
    context,
    expectRefusals: watcher.expectRefusals,
    async waitForRefusals() {
      const until = Date.now() + TIMEOUT_MS;
      while (watcher.isExpecting() && Date.now() < until) await sleep(20);
    },
    async waitUntilStill(tab) {
      const until = Date.now() + TIMEOUT_MS;
      for (let idle = 0; idle < 2; idle++) {
        for (; watcher.listRequests(tab).length > 0; idle = 0) {
          assert.ok(Date.now() < until, `still under way: ${watcher.listRequests(tab).join(', ')}`);
          await sleep(10);
        }
        await waitUntilIdle(tab);
      }
    },
    assertNoFaults: () => assert.deepEqual(watcher.faults(), [], 'what happened in the browser besides'),
    newTab: () => context.newPage(),
    async close() {
      await releaseContext(context, [origin, agent.origin]);
      context.off('page', watcher.page);
    },
    async signIn({ email, password }) {
      const { csrfToken } = (await api('/account/session')) as { csrfToken: string };
      const answer = await context.request.post(`${service.baseUrl}/account/sign-in`, {
        headers: { 'x-csrf-token': csrfToken, origin: service.baseUrl },
        data: { email, password },
      });
      assert.equal(answer.status(), 200);
    },
    getInteraction: async (tab) => (await api(`/oauth/interaction/${getTabRequestId(tab)}`)) as Interaction,
    listConsents: async () => ((await api('/account/consents')) as { consents: MyConsent[] }).consents,
  };
  browsers.set(context, browser);
  return browser;
}

/** The request that a tab of ours is on. */
export function getTabRequestId(tab: Page): string {
  const { hash } = new URL(tab.url());
  const state = /oauth_state=([\w-]+)/.exec(hash)?.[1];
  if (state === undefined) return /^#\/request\/([\w-]+)/.exec(hash)?.[1] ?? '';
  return (JSON.parse(Buffer.from(state, 'base64url').toString()) as { id: string }).id;
}

/** Chromium reports a refusal in the console too; it is judged by its answer. */
const RESPONSE_MESSAGE =
  /^Failed to load resource: (?:the server responded with a status of|net::ERR_INTERNET_DISCONNECTED)/;

/** What draws the evidence says so of every page with a link in a line; a picture is looked at in evidence.test.ts. */
const SNAPDOM_MESSAGE = /^\[snapdom\] Text in inline\/table-cell elements kept its natural width/;

/** Until the page has drawn a frame, and has no other work. */
const WAIT_UNTIL_IDLE = `new Promise((resolve) =>
  requestAnimationFrame(() => scheduler.postTask(resolve, { priority: 'background' })))`;

/** Until what the page has to do is drawn, whatever it still waits for from the service. */
export const waitUntilIdle = (tab: Page): Promise<unknown> => tab.evaluate(WAIT_UNTIL_IDLE);

const browsers = new WeakMap<BrowserContext, Pick<PersonBrowser, 'waitUntilStill'>>();

/** Until nothing moves on a tab of a person's browser any more. */
export async function waitUntilStill(tab: Page): Promise<void> {
  const browser = browsers.get(tab.context());
  assert.ok(browser, 'not a browser of openBrowser');
  await browser.waitUntilStill(tab);
}

function watchBrowser(own: string, agent: string) {
  const faults: string[] = [];
  const expected: string[] = [];
  const underWay = new Map<Request, Page>();
  const takeExpected = (refusal: string): boolean => {
    const index = expected.findIndex((expectation) => refusal.startsWith(expectation));
    if (index !== -1) expected.splice(index, 1);
    return index !== -1;
  };
  const onConsole = (message: ConsoleMessage): void => {
    const serious = ['error', 'warning', 'assert'].includes(message.type());
    const known = RESPONSE_MESSAGE.test(message.text()) || SNAPDOM_MESSAGE.test(message.text());
    if (serious && !known) faults.push(`console: ${message.text()}`);
  };
  return {
    expectRefusals: (...refusals: string[]) => void expected.push(...refusals),
    isExpecting: () => expected.length > 0,
    listRequests: (tab: Page) =>
      [...underWay].filter(([, page]) => page === tab).map(([request]) => request.url()),
    faults: () => [
      ...faults.splice(0),
      ...expected.splice(0).map((refusal) => `expected, and did not happen: ${refusal}`),
    ],
    page(page: Page): void {
      page.on('console', onConsole);
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
      page.on('requestfinished', (request) => underWay.delete(request));
      page.on('request', (request) => {
        underWay.set(request, page);
        const { origin, protocol } = new URL(request.url());
        const known = protocol === 'data:' || origin === own || origin === agent;
        if (!known) faults.push(`request to a third party: ${request.url()}`);
      });
      page.on('requestfailed', (request) => {
        underWay.delete(request);
        const why = request.failure()?.errorText ?? '';
        // A question that was under way when the person went on.
        const failure = `${why}: ${request.method()} ${new URL(request.url()).pathname}`;
        if (why !== 'net::ERR_ABORTED' && !takeExpected(failure)) faults.push(failure);
      });
      page.on('response', (response) => {
        const { origin, pathname } = new URL(response.url());
        if (origin !== own || response.status() < 400) return;
        const refusal = `${response.status()} ${response.request().method()} ${pathname}`;
        if (!takeExpected(refusal)) faults.push(refusal);
      });
    },
  };
}

/** Nothing that opens a record may ever be on our page, wherever a script or an extension could find it. */
const SECRET = /cgc_|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/;

interface PageState {
  cookie: string;
  headings: number;
  overflow: number;
  isTitled: boolean;
  secret: string | null;
}

/** Judged in the page: sending all that it holds would cost more than reading it. The title follows a frame or two later. */
const READ_PAGE_STATE = `(async () => {
  const isTitled = () => document.title.startsWith(document.querySelector('h1').textContent);
  for (let frames = 0; frames < 3000 && !isTitled(); frames++) await new Promise(requestAnimationFrame);
  const kept = [
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    JSON.stringify(history.state),
    location.href,
    document.documentElement.outerHTML,
  ].join('\\n');
  return {
    cookie: document.cookie,
    headings: document.querySelectorAll('h1').length,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    isTitled: isTitled(),
    secret: ${SECRET}.exec(kept)?.[0] ?? null,
  };
})()`;

/** Between two looks at what is waited for, longer each time: each look is work of three processes. */
const listPauses = (): number[] => Array.from({ length: 60 }, (_, look) => Math.min(20 * 1.3 ** look, 150));

/**
 * Waits until it is seen. Playwright by itself looks again after 20, 50, 100, 100 and then every 500 ms: what is there after
 * 0.3 s would be noticed after 0.8 s.
 */
export async function waitUntilVisible(found: Locator): Promise<void> {
  for (const pause of listPauses()) {
    if (await found.isVisible()) return;
    await sleep(pause);
  }
  await found.waitFor();
}

/** Waits for a screen, and demands of it what holds for every screen. */
export async function waitForScreen(tab: Page, name: string): Promise<void> {
  await waitUntilVisible(tab.locator(`[data-screen="${name}"]`));
  const seen = await tab.evaluate<PageState>(READ_PAGE_STATE);
  assert.deepEqual(seen, { cookie: '', headings: 1, overflow: 0, isTitled: true, secret: null }, name);
  await screenshot(tab, name);
}

let screenshotCount = 0;

const folder = process.env['CHARTGATE_TEST_SCREENSHOTS'];

export const hasScreenshotFolder = (): boolean => Boolean(folder);

/** Where CHARTGATE_TEST_SCREENSHOTS names a folder. */
export async function screenshot(tab: Page, name: string): Promise<void> {
  if (!folder) return;
  const file = `${path.basename(process.env['CHARTGATE_TEST_FILE'] ?? 'test', '.test.ts')}-${String(++screenshotCount).padStart(3, '0')}-${name}.png`;
  await tab.screenshot({ path: path.join(folder, file), fullPage: true, animations: 'disabled' });
}

/** Prints a page; the PDF is kept where screenshots are. */
export const printPage = (tab: Page, name: string, format: 'A4' | 'Letter'): Promise<Buffer> =>
  tab.pdf({ format, ...(folder && { path: path.join(folder, `${name}-${format}.pdf`) }) });

/** Lets the time of the pages run ahead, where `clock` was installed, instead of waiting for their timers. */
export async function fastForwardTo(tab: Page, found: Locator): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await found.isVisible()) return;
    await tab.clock.fastForward(1000).catch(() => undefined);
  }
  await found.waitFor();
}

/** What ends a request or a session, in either language. */
const ENDS: ReadonlySet<string> = new Set(
  [en, es].flatMap(({ review, common }) => [review.allow, review.deny, common.signOut]),
);

/**
 * Presses a button. What ends a request or a session is pressed when nothing else is on its way, such as the last choice or the
 * picture of the screen before: that would be refused afterwards, and hardly a person is so fast.
 */
export async function press(tab: Page, name: string): Promise<void> {
  const button = tab.getByRole('button', { name, exact: true });
  await waitUntilVisible(button);
  if (ENDS.has(name)) await waitUntilStill(tab);
  await button.click();
}

/** Fills in a form, by its labels. */
export async function fill(tab: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await tab.getByLabel(label, { exact: true }).fill(value);
  }
}

/** Who is signed in says that it is them, and reads it all where the app is known. */
export async function openReview(tab: Page): Promise<void> {
  await waitForScreen(tab, 'who-is-this');
  await press(tab, en.confirmIdentity.yes);
  const [short, whole] = ['review-short', 'review'].map((name) => tab.locator(`[data-screen="${name}"]`));
  if (short && whole) await waitUntilVisible(short.or(whole));
  if (await short?.isVisible()) await press(tab, en.review.short.readAll);
  await waitForScreen(tab, 'review');
}

/** The picture of a screen is sent while the next one is read: waits until the service holds it. */
export async function waitForStoredScreen(browser: PersonBrowser, tab: Page): Promise<void> {
  while (!(await browser.getInteraction(tab)).draft?.screens.length) await sleep(50);
}

/** Opens the protected classes of a review, which are named there and collapsed. */
export const openPrivate = (
  tab: Page,
  { data, review }: Pick<typeof en, 'data' | 'review'> = en,
): Promise<void> => press(tab, data.oneByOneIn(review.private.title));

/** Waits until the browser is back at the agent; answers what it brought. */
export async function waitForAgent(tab: Page, agent: ListeningAgent): Promise<Record<string, string>> {
  await waitUntilVisible(tab.getByRole('heading', { name: 'Connected' }));
  const { answer, referer, cookie } = agent.visits.at(-1) ?? { answer: {} };
  assert.equal(new URL(tab.url()).origin, agent.origin);
  assert.deepEqual({ referer, cookie }, { referer: undefined, cookie: undefined }, 'told the agent besides');
  return answer;
}
