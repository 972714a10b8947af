import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { Interaction } from '../../contract/oauth/interaction.ts';
import { formatCalendarDay } from '../../web/kit/format-date.ts';
import { en, es } from '../harness/words.ts';
import {
  waitForAgent,
  fill,
  newBrowser,
  NARROW,
  waitForScreen,
  openBrowserFixtures,
  press,
  waitUntilStill,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import {
  assertAbsent,
  assertChecked,
  assertText,
  assertTexts,
  assertValue,
} from '../harness/page-assertions.ts';
import { newTestPatient, setProjectContent } from '../harness/service.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

type Options = Parameters<typeof newBrowser>[2];

/** Somebody new, signed in. */
async function openSignedIn(t: TestContext, options: Options = {}) {
  const patient = await newTestPatient(fixtures.service, { consent: false });
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', ...options });
  await browser.signIn(patient);
  return { patient, browser, tab: await browser.newTab() };
}

async function openReviewScreen(t: TestContext, options: Options = {}) {
  const visit = await openSignedIn(t, options);
  await visit.tab.goto(fixtures.agent.connectUrl());
  await openReview(visit.tab);
  return visit;
}

const { data, review, myData, errors: failed } = en;
const box = (tab: Page, name: string) => tab.getByRole('checkbox', { name, exact: true });
const alert = (tab: Page, text: string) => tab.getByRole('alert').getByText(text).waitFor();

/** The service's answer about a request, with something that it would not take from an organization or a client. */
const patchInteraction = (change: (interaction: Interaction) => object): void =>
  fixtures.answers.change('**/oauth/interaction/*', (interaction: Interaction) => ({
    ...interaction,
    ...change(interaction),
  }));

const MARKUP = '<script>alert(1)</script><img src=x onerror=alert(1)> **bold** [link](javascript:alert(1))';

/** Words are words: nothing of them became part of the page. */
async function assertPlainText(tab: Page): Promise<void> {
  const made = tab.locator('[data-screen]').locator('script, img, b, strong a, [onerror]');
  await assertAbsent(made, tab.locator('a[href^="javascript:"]'));
}

/** An organization is known to who runs the service; its name is shown whole. */
const toShownName = (name: string): string => name.replace(/\p{M}/gu, '').slice(0, 200);

describe('what others write', () => {
  // It is drawn too, on the picture of the decision.
  let plain: BrowserFixtures;
  before(async () => {
    plain = fixtures;
    fixtures = await openBrowserFixtures();
  });
  after(async () => {
    await fixtures.stop();
    fixtures = plain;
  });

  const names: [what: string, name: string][] = [
    ['5,000 letters without an end', 'N'.repeat(5000)],
    ['from right to left, with turns', '\u202eمساعد طبي\u2069\u202d'],
    ['markup', MARKUP],
    ['marks upon marks', `Z${'\u0335\u0301\u0489'.repeat(400)}algo`],
    ['quotes', `"Dr. O'Neil" & «Söhne» \\ %s \${x}`],
  ];
  for (const [what, name] of names)
    it(`is only ever words: a client’s and an organization’s name of ${what}`, async (t) => {
      const { tab } = await openSignedIn(t);
      t.after(() => fixtures.answers.clear());
      patchInteraction(({ client }) => ({
        client: { ...client, name },
        organization: { name: toShownName(name) },
      }));
      await tab.goto(fixtures.agent.connectUrl());
      await openReview(tab);
      await assertPlainText(tab);
      const { height } = (await tab.getByRole('heading', { level: 1 }).boundingBox()) ?? { height: 0 };
      assert.ok(height < 250, 'a title is no page');
      await tab.setViewportSize(NARROW);
      await waitForScreen(tab, 'review');
      await press(tab, review.allow);
      await waitForAgent(tab, fixtures.agent);
    });

  it('about a project stays as it was written, and in its place', async (t) => {
    const purpose = `${MARKUP}\n\nSecond paragraph.\n${'x'.repeat(3000)}`;
    await setProjectContent(fixtures.service, {
      es: {
        title: `"${'w'.repeat(190)}"`,
        purpose,
        risks: 'a\n'.repeat(60),
        categoryPurposes: { LABS: MARKUP, GENOMIC_DATA: 'x'.repeat(300) },
      },
    });
    const { tab } = await openReviewScreen(t);
    await assertPlainText(tab);
    const shown = tab.locator('.prose').filter({ hasText: 'Second paragraph.' }).first();
    await assertText(shown, new RegExp(`^${RegExp.escape(`${MARKUP}\n\nSecond paragraph.\n`)}`));
    await assertTexts(tab.locator('.kind-quote').first(), [MARKUP]);
    await tab.setViewportSize(NARROW);
    await waitForScreen(tab, 'review');
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    await setProjectContent(fixtures.service, { en: { title: 'Study', purpose: 'We look.' } });
  });
});

describe('in the middle of everything', () => {
  it('another language loses nothing that was chosen or typed, and the last word of the two is sent', async (t) => {
    const { browser, tab } = await openReviewScreen(t);
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await press(tab, data.oneByOneIn(data.groups.visits));
    await box(tab, data.categories.VISITS.name).uncheck();
    await tab.getByRole('radio', { name: review.howLong.durations.until }).check();
    await tab.getByLabel(review.howLong.day).fill(day);
    await box(tab, review.decision.represent).check();
    await tab.getByLabel(review.decision.representName).fill('Ana Elm');
    await press(tab, review.allow);
    await alert(tab, review.errors.authorityMissing);
    await press(tab, en.common.otherLanguage);
    await alert(tab, es.review.errors.authorityMissing);
    await assertValue(tab.getByLabel(es.review.howLong.day), day);
    await assertValue(tab.getByLabel(es.review.decision.representName), 'Ana Elm');
    await assertChecked(box(tab, es.data.categories.VISITS.name), false);
    await tab.getByRole('radio', { name: es.authorities.guardian }).check();
    // Once more while it is being sent.
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await tab.route('**/oauth/interaction/*', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.fallback();
    });
    const sending = tab.waitForRequest(
      (request) => request.method() === 'POST' && /\/oauth\/interaction\/[^/]+$/.test(request.url()),
    );
    await press(tab, es.review.allow);
    assert.equal((await sending).postDataJSON().language, 'es');
    await press(tab, es.common.otherLanguage);
    await tab.getByRole('button', { name: review.allow, exact: true }).waitFor();
    letGo();
    await waitForAgent(tab, fixtures.agent);
    assert.ok(!(await browser.listConsents())[0]?.consentDataResourceScopes?.includes('VISITS'));
  });

  it('two tabs that decide at once are one decision', async (t) => {
    const { browser, tab: first } = await openSignedIn(t);
    await first.goto(fixtures.agent.connectUrl());
    await waitForScreen(first, 'who-is-this');
    const second = await browser.newTab();
    await second.goto(first.url());
    await openReview(second);
    // The service keeps one picture of that screen, the last: a yes needs it to be its own.
    await waitUntilStill(second);
    await openReview(first);
    await browser.context.route('**/oauth/complete/*', (route) => route.fulfill({ status: 204 }));
    const posts: Route[] = [];
    let both: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (both = resolve));
    await browser.context.route('**/oauth/interaction/*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      if (posts.push(route) === 2) both();
    });
    browser.expectRefusals('409 POST /oauth/interaction/');
    await Promise.all([press(first, review.allow), press(second, review.deny)]);
    await asked;
    await Promise.all(posts.map((route) => route.continue()));
    const leave = (tab: Page): Promise<Page> => waitForScreen(tab, 'leaving').then(() => tab);
    const leaving = await Promise.any([leave(first), leave(second)]);
    // Whoever came second reads that their answer does not count, and which one does.
    await waitForScreen(leaving === first ? second : first, 'decided-before');
    await browser.context.unroute('**/oauth/complete/*');
    await leaving.getByRole('link', { name: en.returnToClient.link('Test agent') }).click();
    const { code, error } = await waitForAgent(leaving, fixtures.agent);
    const shared = (await browser.listConsents()).filter(({ status }) => status === 'active');
    assert.equal(shared.length, code === undefined ? 0 : 1);
    assert.equal(error, code === undefined ? 'access_denied' : undefined);
  });

  it('who was signed out meanwhile signs in again and finds what they chose', async (t) => {
    const { patient, browser, tab } = await openReviewScreen(t);
    await box(tab, data.groups.life).uncheck();
    // The picture of the screen before, and the choice.
    await waitUntilStill(tab);
    const other = await browser.newTab();
    await other.goto(`${fixtures.service.baseUrl}/consent/#/my-data/signing-in`);
    await waitForScreen(other, 'my-data-signing-in');
    await press(other, en.common.signOut);
    await waitForScreen(other, 'sign-in');
    browser.expectRefusals('401 POST /oauth/interaction/', '401 POST /oauth/interaction/');
    await press(tab, review.allow);
    await waitForScreen(tab, 'sign-in');
    await fill(tab, { [en.form.email]: patient.email, [en.form.password]: patient.password });
    await press(tab, en.signIn.submit);
    await waitForScreen(tab, 'review');
    await assertChecked(box(tab, data.groups.life), false);
  });

  it('a reload shows each part of one’s own page again', async (t) => {
    const { tab } = await openSignedIn(t);
    for (const [part, screen] of [
      ['', 'my-data'],
      ['/activity', 'my-data-activity'],
      ['/receipts', 'my-data-receipts'],
      ['/documents', 'my-data-documents'],
      ['/download', 'my-data-download'],
      ['/signing-in', 'my-data-signing-in'],
      ['/delete-account', 'my-data-delete'],
    ] as const) {
      await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data${part}`);
      await waitForScreen(tab, screen);
      await tab.reload();
      await waitForScreen(tab, screen);
    }
  });
});

/** What goes wrong, and the words for it in general. */
const FAILURES: [status: number, words: string][] = [
  [500, failed.unreachable],
  [502, failed.unreachable],
  [429, failed.throttled],
  [0, failed.unreachable],
];

/** What is asked of the service is answered so, as a proxy in front of it does; 0: the line breaks. The review still loads. */
const failRequests = async (tab: Page, url: string, status: number): Promise<unknown> =>
  tab.route(url, (route) => {
    if (url.includes('interaction') && route.request().method() === 'GET') return route.fallback();
    if (status === 0) return route.abort('aborted');
    return route.fulfill({ status, body: '<html>Bad gateway</html>', contentType: 'text/html' });
  });

describe('a service that fails', () => {
  it('at a decision is shown in words; what was chosen stays, and the next try counts', async (t) => {
    const { browser, tab } = await openReviewScreen(t);
    await box(tab, data.groups.life).uncheck();
    const url = '**/oauth/interaction/*';
    // A proxy does not say whether the decision was made before it failed.
    const failures = FAILURES.map(
      ([status, words]) =>
        [status, words === failed.unreachable ? failed.maybeSaved : `${words} ${failed.notSaved}`] as const,
    );
    for (const [status, words] of [...failures, [413, failed.tooLarge] as const]) {
      await failRequests(tab, url, status);
      if (status > 0) browser.expectRefusals(`${status} POST /oauth/interaction/`);
      await press(tab, review.allow);
      await tab.getByRole('alert').getByText(words).waitFor();
      await waitForScreen(tab, 'review');
      await tab.unroute(url);
    }
    await assertChecked(box(tab, data.groups.life), false);
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    assert.equal((await browser.listConsents())[0]?.consentDataResourceScopes?.length, 15);
  });

  it('by its silence is given up on, at a picture and at the decision itself', async (t) => {
    const { tab } = await openReviewScreen(t);
    await tab.clock.install();
    for (const [url, words] of [
      ['**/oauth/interaction/*/screens', failed.unreachable],
      ['**/oauth/interaction/*', failed.maybeSaved],
    ] as const) {
      const unanswered: Route[] = [];
      const sent = Promise.withResolvers<void>();
      await tab.route(url, async (route) => {
        if (route.request().method() === 'GET') return route.fallback();
        unanswered.push(route);
        sent.resolve();
      });
      await press(tab, review.allow);
      await sent.promise;
      await tab.clock.fastForward(15 * 60_000);
      await alert(tab, words);
      for (const route of unanswered) await route.abort('aborted');
      await tab.unroute(url);
    }
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
  });

  it('at taking something out, at a file and at the list of reads is shown in words too, and nothing is lost', async (t) => {
    const { browser, tab } = await openReviewScreen(t);
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    const page = `${fixtures.service.baseUrl}/consent/#/my-data`;
    for (const [status, words] of FAILURES) {
      await tab.goto('about:blank');
      await failRequests(tab, '**/account/access-log?*', status);
      if (status > 0) browser.expectRefusals(`${status} GET /account/access-log`);
      await tab.goto(`${page}/activity`);
      await tab.getByRole('alert').getByText(words).waitFor();
      await tab.unroute('**/account/access-log?*');
      await press(tab, en.common.tryAgain);
      await tab.locator('.entry').first().waitFor();
    }

    await tab.goto(`${page}/documents`);
    const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('A letter.') };
    await tab.locator('input[type=file]').setInputFiles([file]);
    for (const [status, words] of [...FAILURES, [413, myData.documents.tooLarge] as const]) {
      await tab.route('**/account/uploads', (route) => {
        if (route.request().method() === 'GET') return route.fallback();
        return status === 0 ? route.abort('aborted') : route.fulfill({ status, body: '' });
      });
      if (status > 0) browser.expectRefusals(`${status} POST /account/uploads`);
      await press(tab, myData.documents.send);
      await tab.getByRole('alert').getByText(words).waitFor();
      await tab.getByText('letter.txt').waitFor();
      await tab.unroute('**/account/uploads');
    }
    await press(tab, myData.documents.send);
    const { sent, sentRead } = myData.documents;
    await tab.getByRole('status').getByText(sent).or(tab.getByRole('status').getByText(sentRead)).waitFor();

    await tab.goto(page);
    await tab.getByRole('button', { name: myData.change }).click();
    await box(tab, data.groups.life).uncheck();
    for (const [status, words] of FAILURES) {
      await failRequests(tab, '**/account/consents/narrow', status);
      if (status > 0) browser.expectRefusals(`${status} POST /account/consents/narrow`);
      await press(tab, myData.save);
      await tab.getByRole('alert').getByText(words).waitFor();
      await tab.unroute('**/account/consents/narrow');
    }
    await assertChecked(box(tab, data.groups.life), false);
    await press(tab, myData.save);
    await tab
      .getByRole('status')
      .getByText(/^Saved\./)
      .waitFor();
  });
});

describe('a last day', () => {
  it('that is none is not sent', async (t) => {
    const { browser, tab } = await openReviewScreen(t);
    await tab.getByRole('radio', { name: review.howLong.durations.until }).check();
    const field = tab.getByLabel(review.howLong.day);
    await field.pressSequentially('garbage--//');
    await press(tab, review.allow);
    await alert(tab, review.errors.dayMissing);
    for (const wrong of ['0001-01-01', '9999-12-31', '2026-02-28']) {
      await field.fill(wrong);
      await press(tab, review.allow);
      await tab
        .getByRole('alert')
        .getByText(/from .* to/)
        .waitFor();
    }
    await waitUntilStill(tab);
    assert.equal((await browser.getInteraction(tab)).status, 'pending');
  });

  for (const timezoneId of ['America/New_York', 'Pacific/Kiritimati'])
    it(`is shown as it was chosen, then and later, in ${timezoneId}`, async (t) => {
      const { tab } = await openReviewScreen(t, { timezoneId });
      await tab.getByRole('radio', { name: review.howLong.durations.until }).check();
      const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
      await tab.getByLabel(review.howLong.day).fill(day);
      const shown = formatCalendarDay(day, 'en');
      await tab.getByText(review.howLong.ends(shown)).waitFor();
      await press(tab, review.allow);
      await waitForAgent(tab, fixtures.agent);
      await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
      await tab.locator('.consent').getByText(shown, { exact: true }).waitFor();
      await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/receipts`);
      await tab.getByText(`Until ${shown}`).waitFor();
    });
});

describe('a clock that is wrong', () => {
  for (const [what, days] of [
    ['a day behind', -1],
    ['a day ahead', 1],
  ] as const)
    it(`keeps nobody from deciding: ${what}`, async (t) => {
      const { tab } = await openSignedIn(t);
      await tab.clock.install({ time: Date.now() + days * 86_400_000 });
      await tab.goto(fixtures.agent.connectUrl());
      await openReview(tab);
      await press(tab, review.allow);
      assert.equal(
        (await fixtures.agent.exchange((await waitForAgent(tab, fixtures.agent))['code'])).status,
        200,
      );
    });
});
