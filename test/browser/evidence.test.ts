import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { InteractionDecision } from '../../contract/oauth/interaction.ts';
import { en } from '../harness/words.ts';
import {
  waitForAgent,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  type PersonBrowser,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import { newTestPatient, setProjectContent } from '../harness/service.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

interface Visit {
  browser: PersonBrowser;
  tab: Page;
  /** What was sent to the service so far. */
  decisions: InteractionDecision[];
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
  tab.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/oauth/interaction/'))
      decisions.push(request.postDataJSON() as InteractionDecision);
  });
  await tab.goto(fixtures.agent.connectUrl());
  await openReview(tab);
  return { browser, tab, decisions };
}

const image = (base64: string): string => `data:image/png;base64,${base64}`;

interface Comparison {
  sizes: [width: number, height: number][];
  /** The part of all areas of 4 × 4 pixels that anybody would see to be different, 0 to 1; letters are smoothed differently. */
  different: number;
}

/** On a page of nobody, since ours loads no images. */
async function compareImages(first: string, second: string): Promise<Comparison> {
  const context = await fixtures.chromium.newContext();
  try {
    return await (
      await context.newPage()
    ).evaluate(
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
  } finally {
    await context.close();
  }
}

describe('the evidence of a yes', () => {
  const looks: [string, Parameters<typeof newBrowser>[2]][] = [
    ['on a phone', {}],
    ['in the dark, on the narrowest window', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
    ['on a desktop', { viewport: { width: 1280, height: 860 } }],
  ];
  for (const [where, options] of looks) {
    it(`is a picture of the whole page with what was chosen, as it was seen ${where}`, async (t) => {
      const { tab, decisions } = await openReviewScreen(t, options);
      await tab.getByRole('checkbox', { name: en.data.groups.life }).uncheck();
      await tab.getByRole('checkbox', { name: en.data.sensitivities.MENTAL_HEALTH.name }).check();
      await tab.getByRole('button', { name: en.review.allow, exact: true }).hover();
      const seen = (await tab.screenshot({ fullPage: true })).toString('base64');
      await press(tab, en.review.allow);
      await waitForAgent(tab, fixtures.agent);
      const pictures = decisions[0]?.screenshots ?? [];
      assert.deepEqual(
        pictures.map(({ screen, contentType }) => [screen, contentType]),
        [
          ['who-is-this', 'image/png'],
          ['review', 'image/png'],
        ],
      );
      const { sizes, different } = await compareImages(image(seen), image(pictures[1]?.data ?? ''));
      assert.deepEqual(sizes[1], sizes[0]);
      // Progress is shown below the buttons and in the one that was pressed.
      assert.ok(different < 0.005, `${(different * 100).toFixed(2)} % differ`);
    });
  }

  it('is not taken of a no', async (t) => {
    const { tab, decisions } = await openReviewScreen(t);
    await press(tab, en.review.deny);
    await waitForAgent(tab, fixtures.agent);
    assert.deepEqual(
      decisions.map(({ decision, screenshots }) => [decision, screenshots]),
      [['deny', undefined]],
    );
  });

  it('is needed: where it cannot be taken nothing is sent, the person sees why, and may try again', async (t) => {
    const { browser, tab, decisions } = await openReviewScreen(t);
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
    assert.equal(await tab.getByRole('checkbox', { name: en.data.groups.life }).isChecked(), false);
    await press(tab, en.review.allow);
    await waitForAgent(tab, fixtures.agent);
    assert.equal(decisions.length, 2);
    assert.notEqual(decisions[1]?.studySnapshotId, decisions[0]?.studySnapshotId);
  });
});
