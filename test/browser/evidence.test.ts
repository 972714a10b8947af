import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { deriveBrandColors } from '../../contract/organization/brand-colors.ts';
import type { InteractionDecision } from '../../contract/oauth/interaction.ts';
import type { DraftChoices, DraftScreen } from '../../contract/oauth/review-draft.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { en, es } from '../harness/words.ts';
import {
  waitForAgent,
  DESKTOP,
  NARROW,
  newBrowser,
  fill,
  waitForScreen,
  waitForStoredScreen,
  openBrowserFixtures,
  openPrivate,
  press,
  waitUntilStill,
  type PersonBrowser,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import { assertChecked, assertInPage } from '../harness/page-assertions.ts';
import { setBrand } from '../harness/brand.ts';
import { newTestPatient, setProjectContent, upload, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

interface Visit {
  browser: PersonBrowser;
  tab: Page;
  patient: TestPatient;
  /** What was sent to the service so far. */
  decisions: InteractionDecision[];
  pictures: DraftScreen[];
}

async function openReviewScreen(
  t: TestContext,
  options: Parameters<typeof newBrowser>[2] = {},
): Promise<Visit> {
  const patient = await newTestPatient(fixtures.service, { consent: false });
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', ...options });
  await browser.signIn(patient);
  const tab = await browser.newTab();
  const decisions: InteractionDecision[] = [];
  const pictures: DraftScreen[] = [];
  tab.on('request', (request) => {
    if (request.method() !== 'POST') return;
    if (DECISION.test(request.url())) decisions.push(request.postDataJSON() as InteractionDecision);
    if (SCREENS.test(request.url())) pictures.push(request.postDataJSON() as DraftScreen);
  });
  await tab.goto(fixtures.agent.connectUrl());
  await openReview(tab);
  return { browser, tab, patient, decisions, pictures };
}

const DECISION = /\/oauth\/interaction\/[\w-]+$/;
const SCREENS = /\/oauth\/interaction\/[\w-]+\/screens$/;

const image = (base64: string): string => `data:image/png;base64,${base64}`;

interface Comparison {
  sizes: [width: number, height: number][];
  /** The part of all areas of 4 × 4 pixels that anybody would see to be different, 0 to 1; letters are smoothed differently. */
  different: number;
}

/** On the page of the agent, since ours loads no images. */
const compareImages = (tab: Page, first: string, second: string): Promise<Comparison> =>
  tab.evaluate(
    `(async (sources) => {
      const drawn = await Promise.all(sources.map(async (src) => {
        const image = Object.assign(new Image(), { src });
        await image.decode();
        const [width, height] = [image.width, image.height].map((size) => Math.ceil(size / 4));
        const context = new OffscreenCanvas(width, height).getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, width, height);
        return { size: [image.width, image.height], data: context.getImageData(0, 0, width, height).data };
      }));
      const [one, other] = drawn;
      let different = 0;
      for (let place = 0; place < one.data.length; place += 4)
        if ([0, 1, 2].some((c) => Math.abs(one.data[place + c] - other.data[place + c]) > 48)) different += 1;
      return { sizes: drawn.map(({ size }) => size), different: (different * 4) / one.data.length };
    })(${JSON.stringify([first, second])})`,
  );

/** What a patient recognizes the organization by is in the picture too: its mark at the top, its colour in the button. */
async function assertBrand(
  tab: Page,
  source: string,
  { viewport, colorScheme = 'light' }: NonNullable<Parameters<typeof newBrowser>[2]>,
): Promise<void> {
  const { accent } = deriveBrandColors('#b3006e')[colorScheme === 'dark' ? 'dark' : 'light'];
  const rgb = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16));
  const found = await tab.evaluate<{ accent: number; mark: number }>(`(async () => {
    const image = Object.assign(new Image(), { src: ${JSON.stringify(source)} });
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const count = (height, [r, g, b]) => {
      const { data } = context.getImageData(0, 0, image.width, height);
      let pixels = 0;
      for (let at = 0; at < data.length; at += 4)
        if (Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 12) pixels += 1;
      return pixels;
    };
    return { accent: count(image.height, ${JSON.stringify(rgb)}), mark: count(200, [200, 160, 60]) };
  })()`);
  const isBranded = viewport !== undefined && viewport !== null;
  assert.deepEqual([found.accent > 2000, found.mark > 200], [isBranded, isBranded], JSON.stringify(found));
}

const HIV_LOAD = {
  resourceType: 'Observation',
  id: 'load',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '20447-9' }], text: 'HIV 1 RNA' },
  valueQuantity: { value: 40, unit: 'copies/mL' },
  effectiveDateTime: '2026-03-02',
};
const ASTHMA = {
  resourceType: 'Condition',
  id: 'asthma',
  code: { text: 'Asthma' },
  onsetDateTime: '2020-01-01',
};

const SET_PRIVATE = (display: string): string =>
  `for (const each of document.querySelectorAll('[data-private]')) each.style.display = '${display}'`;

/**
 * Presses Allow on a request of its own and takes the picture off its way, so that the request stays open. `held` is what the page
 * says to the person alone; `seen` is the screen without all of that.
 */
async function takeReviewPicture(
  browser: PersonBrowser,
  words: typeof en | typeof es,
  held: string,
): Promise<{ seen: string; picture: string }> {
  const tab = await browser.newTab();
  const sent = Promise.withResolvers<DraftScreen>();
  await tab.route(SCREENS, (route) => {
    const screen = route.request().postDataJSON() as DraftScreen;
    if (screen.screen === 'review') sent.resolve(screen);
    else void route.fallback();
  });
  await tab.goto(fixtures.agent.connectUrl());
  await press(tab, words.confirmIdentity.yes);
  await waitForScreen(tab, 'review');
  await tab.getByText(held).first().waitFor();
  await press(tab, words.data.oneByOneIn(words.data.groups.tests));
  await tab.getByRole('button', { name: words.review.allow, exact: true }).hover();
  await waitUntilStill(tab);
  await tab.evaluate(SET_PRIVATE('none'));
  const seen = (await tab.screenshot({ fullPage: true })).toString('base64');
  await tab.evaluate(SET_PRIVATE(''));
  // The browser keeps what is read in its place, a frame later.
  await tab.getByRole('button', { name: words.review.allow, exact: true }).hover();
  await waitUntilStill(tab);
  const place = await tab.evaluate<number>('scrollY');
  await press(tab, words.review.allow);
  const { data } = await sent.promise;
  // What is private is back, and nothing has moved.
  await tab.getByText(held).first().waitFor();
  // Places on the screen are whole, those of the layout are not.
  await assertInPage(tab, `Math.abs(scrollY - ${place}) <= 1`, true);
  await tab.close();
  return { seen, picture: data };
}

describe('the evidence of a yes', () => {
  let plain: BrowserFixtures;
  before(async () => {
    plain = fixtures;
    fixtures = await openBrowserFixtures();
  });
  after(async () => {
    await fixtures.stop();
    fixtures = plain;
  });

  const looks: [string, Parameters<typeof newBrowser>[2]][] = [
    ['on a phone', {}],
    ['in the dark, on the narrowest window', { colorScheme: 'dark', viewport: NARROW }],
    ['on a desktop', { viewport: { width: 1280, height: 860 } }],
  ];
  for (const [where, options] of looks) {
    it(`is a picture of the whole page with what was chosen, as it was seen ${where}`, async (t) => {
      // From the second look on the organization has a mark and a colour of its own.
      if (options?.viewport) await setBrand(fixtures.service, '#b3006e');
      const { tab, pictures } = await openReviewScreen(t, options);
      await tab.getByRole('checkbox', { name: en.data.groups.life }).uncheck();
      await openPrivate(tab);
      await tab.getByRole('checkbox', { name: en.data.sensitivities.MENTAL_HEALTH.name }).check();
      await tab.getByRole('button', { name: en.review.allow, exact: true }).hover();
      await waitUntilStill(tab);
      // That it is empty, as the record is, is for the person alone.
      await tab.evaluate(SET_PRIVATE('none'));
      const seen = (await tab.screenshot({ fullPage: true })).toString('base64');
      await tab.evaluate(SET_PRIVATE(''));
      await press(tab, en.review.allow);
      await waitForAgent(tab, fixtures.agent);
      assert.deepEqual(
        pictures.map(({ screen, contentType }) => [screen, contentType]),
        [
          ['who-is-this', 'image/png'],
          ['review', 'image/png'],
        ],
      );
      await assertBrand(tab, image(pictures[1]?.data ?? ''), options ?? {});
      const { sizes, different } = await compareImages(tab, image(seen), image(pictures[1]?.data ?? ''));
      assert.deepEqual(sizes[1], sizes[0]);
      // Progress is shown below the buttons and in the one that was pressed.
      assert.ok(different < 0.005, `${(different * 100).toFixed(2)} % differ`);
    });
  }

  for (const [where, options] of [
    ['on a phone', {}],
    [
      'in the dark, on the narrowest window, in Spanish',
      { colorScheme: 'dark', viewport: NARROW, locale: 'es-MX' },
    ],
    ['on a desktop', { viewport: DESKTOP }],
  ] as [string, Parameters<typeof newBrowser>[2]][]) {
    it(`is the same whatever the record holds ${where}: the page as it would be without a word of that`, async (t) => {
      const patient = await newTestPatient(fixtures.service, { consent: false });
      const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', ...options });
      await browser.signIn(patient);
      const words = options?.locale === 'es-MX' ? es : en;
      const take = (held: string) => takeReviewPicture(browser, words, held);
      const empty = await take(words.data.emptyRecord.text);
      await upload(fixtures.service, patient, await createArchive({ 'a.json': createBundle(HIV_LOAD) }));
      const withheld = await take('· 1');
      await upload(fixtures.service, patient, await createArchive({ 'b.json': createBundle(ASTHMA) }));
      const some = await take('· 1');
      await browser.context.route('**/account/record', (route) =>
        route.fulfill({ json: { total: 0, categories: [], isArriving: true, isAsked: false } }),
      );
      const arriving = await take(words.data.emptyRecord.arriving);
      const { sizes, different } = await compareImages(
        await browser.newTab(),
        image(empty.seen),
        image(empty.picture),
      );
      assert.deepEqual(sizes[1], sizes[0]);
      assert.ok(different < 0.005, `${(different * 100).toFixed(2)} % differ`);
      for (const [name, { picture }] of Object.entries({ withheld, some, arriving }))
        assert.ok(picture === empty.picture, name);
    });
  }

  it('is not taken of a no', async (t) => {
    const { browser, tab, decisions, pictures } = await openReviewScreen(t);
    await waitForStoredScreen(browser, tab);
    await press(tab, en.review.deny);
    await waitForAgent(tab, fixtures.agent);
    assert.deepEqual(
      decisions.map(({ decision, screens }) => [decision, screens]),
      [['deny', undefined]],
    );
    assert.deepEqual(
      pictures.map(({ screen }) => screen),
      ['who-is-this'],
    );
  });

  it('is needed: where it cannot be taken nothing is sent, the person sees why, and may try again', async (t) => {
    const { browser, tab, decisions } = await openReviewScreen(t);
    await waitForStoredScreen(browser, tab);
    await tab.evaluate(
      `HTMLCanvasElement.prototype.toBlob2 = HTMLCanvasElement.prototype.toBlob;
       HTMLCanvasElement.prototype.toBlob = (found) => found(null);`,
    );
    await press(tab, en.review.allow);
    await tab.getByRole('alert').getByText(en.errors.notPictured).waitFor();
    assert.deepEqual(decisions, []);
    assert.equal((await browser.getInteraction(tab)).status, 'pending');
    await tab.evaluate('HTMLCanvasElement.prototype.toBlob = HTMLCanvasElement.prototype.toBlob2');
    await press(tab, en.review.allow);
    assert.ok((await waitForAgent(tab, fixtures.agent))['code']);
  });
});

const box = (tab: Page, name: string): Locator => tab.getByRole('checkbox', { name, exact: true });

/** Waits until the service holds what stands on the page. */
async function waitForDraft(
  { browser, tab }: Visit,
  isSaved: (choices: DraftChoices) => boolean,
): Promise<void> {
  for (;;) {
    const { draft } = await browser.getInteraction(tab);
    if (draft?.choices && isSaved(draft.choices)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the draft of a decision', () => {
  const choose = async (visit: Visit): Promise<void> => {
    const { browser, tab } = visit;
    // Where it is missing, the person is asked once more.
    await waitForStoredScreen(browser, tab);
    await box(tab, en.data.groups.life).uncheck();
    await openPrivate(tab);
    await box(tab, en.data.sensitivities.MENTAL_HEALTH.name).check();
    await tab.getByRole('radio', { name: en.review.howLong.durations['30-days'] }).check();
    await waitForDraft(visit, ({ duration }) => duration === '30-days');
  };
  const assertChosen = async (tab: Page): Promise<void> => {
    await waitForScreen(tab, 'review');
    await assertChecked(box(tab, en.data.groups.life), false);
    await assertChecked(box(tab, en.data.groups.tests), true);
    await assertChecked(box(tab, en.data.sensitivities.MENTAL_HEALTH.name), true);
    await assertChecked(box(tab, en.data.sensitivities.HIV_OR_STI.name), false);
    await assertChecked(tab.getByRole('radio', { name: en.review.howLong.durations['30-days'] }), true);
  };

  it('outlives a reload, with the pictures of the screens before, and what the person went through', async (t) => {
    const visit = await openReviewScreen(t);
    const { browser, tab, decisions, pictures } = visit;
    await choose(visit);
    await tab.reload();
    await assertChosen(tab);
    await assertInPage(tab, 'document.activeElement.tagName', 'H1');
    await press(tab, en.review.allow);
    await waitForAgent(tab, fixtures.agent);
    assert.deepEqual(
      pictures.map(({ screen }) => screen),
      ['who-is-this', 'review'],
    );
    assert.deepEqual(
      decisions[0]?.interactions.map(({ screen, action }) => `${screen} ${action}`),
      ['who-is-this shown', 'who-is-this confirm', 'review shown', 'review shown', 'review allow'],
    );
    const [consent] = await browser.listConsents();
    assert.equal(consent?.consentDataResourceScopes?.length, 15);
    assert.deepEqual(consent.consentDataSensitivityScopes, ['NORMAL', 'MENTAL_HEALTH']);
  });

  it('is there in another tab of the browser too, after the person has signed in once more', async (t) => {
    const visit = await openReviewScreen(t);
    const { browser, tab, patient } = visit;
    await choose(visit);
    const url = tab.url();
    await tab.close();
    await browser.context.clearCookies({ name: 'chartgate-session' });
    const reopened = await browser.newTab();
    await reopened.goto(url);
    await waitForScreen(reopened, 'sign-in');
    await fill(reopened, { [en.form.email]: patient.email, [en.form.password]: patient.password });
    await press(reopened, en.signIn.submit);
    await press(reopened, en.confirmIdentity.yes);
    await assertChosen(reopened);
    await press(reopened, en.review.allow);
    await waitForAgent(reopened, fixtures.agent);
  });

  it('is never less strict in a tab that was open already: it shows what was chosen last, or decides nothing', async (t) => {
    const visit = await openReviewScreen(t);
    const { browser, tab } = visit;
    const other = await browser.newTab();
    await other.goto(tab.url());
    await waitForScreen(other, 'who-is-this');
    await choose(visit);
    await press(other, en.confirmIdentity.yes);
    await assertChosen(other);
    // The tab beside it does not hear of a choice until it asks.
    await box(tab, en.data.groups.tests).uncheck();
    await waitForDraft(visit, ({ categories }) => !categories.includes('LABS'));
    await waitUntilStill(other);
    browser.expectRefusals('409 POST /oauth/interaction/');
    await press(other, en.review.allow);
    await other.getByRole('alert').getByText(en.errors.choicesChanged).waitFor();
    await assertChecked(box(other, en.data.groups.tests), false);
    assert.equal((await browser.getInteraction(tab)).status, 'pending');
    await press(other, en.review.allow);
    await waitForAgent(other, fixtures.agent);
    const [consent] = await browser.listConsents();
    assert.equal(consent?.consentDataResourceScopes?.includes('LABS'), false);
  });

  it('chooses nothing where the last choice did not reach the service: it could be more than was chosen', async (t) => {
    const visit = await openReviewScreen(t);
    const { tab } = visit;
    await choose(visit);
    const { db } = fixtures.service.store;
    await db.query(sql`update review_draft set changed_at = changed_at - interval '1 second'`);
    await tab.reload();
    await tab.getByText(en.review.choicesLost).waitFor();
    for (const name of Object.values(en.data.groups)) await assertChecked(box(tab, name), false);
    await openPrivate(tab);
    await assertChecked(box(tab, en.data.sensitivities.MENTAL_HEALTH.name), false);
    await press(tab, en.review.allow);
    await tab.getByRole('alert').getByText(en.review.errors.categories).waitFor();
    await box(tab, en.data.groups.care).check();
    await tab.getByText(en.review.choicesLost).waitFor({ state: 'detached' });
    await press(tab, en.review.allow);
    await waitForAgent(tab, fixtures.agent);
  });

  it('asks once more who is there where the picture of that screen is missing', async (t) => {
    const { browser, tab } = await openReviewScreen(t);
    await waitForStoredScreen(browser, tab);
    await fixtures.service.store.db.query(sql`delete from draft_screenshot where screen = 'who-is-this'`);
    await tab.reload();
    await waitForScreen(tab, 'who-is-this');
    await tab.getByText(en.confirmIdentity.again.missing).waitFor();
    await press(tab, en.confirmIdentity.yes);
    await waitForScreen(tab, 'review');
    // Gone again, behind the back of the page: the answer is refused, and that is said.
    await waitForStoredScreen(browser, tab);
    await waitUntilStill(tab);
    await fixtures.service.store.db.query(sql`delete from draft_screenshot where screen = 'who-is-this'`);
    browser.expectRefusals('400 POST /oauth/interaction/');
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'who-is-this');
    await tab.getByText(en.confirmIdentity.again.unsaved).waitFor();
    await press(tab, en.confirmIdentity.yes);
    await waitForScreen(tab, 'review');
    await press(tab, en.review.allow);
    await waitForAgent(tab, fixtures.agent);
  });
});

describe('a decision on a bad line', () => {
  /** What one session of the inspector has set, another does not undo. */
  const openLine = async (tab: Page) => {
    const inspector = await tab.context().newCDPSession(tab);
    return (conditions: object): Promise<unknown> =>
      inspector.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
        ...conditions,
      });
  };
  const countRecords = async ({ patient }: Visit): Promise<number> =>
    (
      await one(
        fixtures.service.store.db,
        sql<{ records: number }>`
          select count(*)::int as records from consent_record where patient_id = ${patient.id}`,
      )
    ).records;

  it('says what it is doing at 400 kbit/s', async (t) => {
    const visit = await openReviewScreen(t);
    const { tab } = visit;
    await waitForStoredScreen(visit.browser, tab);
    const { progress } = en.review;
    // What is sent goes on when the words of it have been seen, however slow this machine is.
    const holdUntilSaid = (url: RegExp, words: string): Promise<unknown> =>
      tab.route(url, async (route) => {
        await tab.getByRole('status').getByText(words).waitFor({ state: 'attached' });
        await route.fallback();
      });
    await holdUntilSaid(SCREENS, progress['sending-picture']);
    await holdUntilSaid(DECISION, progress['sending-answer']);
    const setLine = await openLine(tab);
    await setLine({ latency: 300, downloadThroughput: 50_000, uploadThroughput: 50_000 });
    await press(tab, en.review.allow);
    await waitForAgent(tab, fixtures.agent);
    assert.equal(await countRecords(visit), 1);
  });

  it('waits while the connection is lost, and goes on when it is back', async (t) => {
    const visit = await openReviewScreen(t);
    const { browser, tab, pictures } = visit;
    await waitForStoredScreen(browser, tab);
    browser.expectRefusals('net::ERR_INTERNET_DISCONNECTED: POST /oauth/interaction/');
    const setLine = await openLine(tab);
    await setLine({ offline: true });
    // Before it knows, it would try again after a second.
    await assertInPage(tab, 'navigator.onLine', false);
    await press(tab, en.review.allow);
    await tab.getByText(en.review.progress.lost).first().waitFor();
    assert.equal(await countRecords(visit), 0);
    await setLine({});
    await waitForAgent(tab, fixtures.agent);
    assert.equal(await countRecords(visit), 1);
    assert.deepEqual(
      pictures.map(({ screen }) => screen),
      ['who-is-this', 'review', 'review'],
    );
  });

  it('is made once, though its answer is lost again and again, and leads on', async (t) => {
    const visit = await openReviewScreen(t);
    const { tab, decisions } = visit;
    let lost = 0;
    await tab.route(DECISION, async (route) => {
      if (route.request().method() !== 'POST' || ++lost > 2) return route.fallback();
      await route.fetch();
      return route.abort('aborted');
    });
    await press(tab, en.review.allow);
    assert.ok((await waitForAgent(tab, fixtures.agent))['code']);
    assert.equal(decisions.length, 3);
    assert.equal(new Set(decisions.map(({ decisionKey }) => decisionKey)).size, 1);
    assert.equal(await countRecords(visit), 1);
  });
});

describe('a project whose content changes meanwhile', () => {
  it('is shown again before anything counts; what was chosen stays', async (t) => {
    const { browser, tab, decisions } = await openReviewScreen(t);
    await tab.getByRole('checkbox', { name: en.data.groups.life }).uncheck();
    await setProjectContent(fixtures.service, {
      en: { title: 'Sleep study', purpose: 'We now also look at dreams.' },
    });
    browser.expectRefusals('409 POST /oauth/interaction/');
    await press(tab, en.review.allow);
    await tab.getByRole('alert').getByText(en.errors.contentChanged).waitFor();
    await tab.getByText('We now also look at dreams.').first().waitFor();
    await waitForScreen(tab, 'review');
    assert.equal((await browser.getInteraction(tab)).status, 'pending');
    await assertChecked(tab.getByRole('checkbox', { name: en.data.groups.life }), false);
    await press(tab, en.review.allow);
    await waitForAgent(tab, fixtures.agent);
    assert.equal(decisions.length, 2);
    assert.notEqual(decisions[1]?.studySnapshotId, decisions[0]?.studySnapshotId);
  });
});
