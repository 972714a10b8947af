import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import { en, es } from '../harness/words.ts';
import { waitForMail } from '../harness/mails.ts';
import {
  waitForAgent,
  fill,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertInPage, assertSoon } from '../harness/page-assertions.ts';
import { newTestPatient, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
let patient: TestPatient;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  patient = await newTestPatient(fixtures.service, { consent: false });
});
after(() => fixtures.stop());

const assertLanguage = async (tab: Page, language: string, title: string): Promise<void> => {
  await tab.getByRole('heading', { name: title, exact: true }).waitFor();
  await assertInPage(tab, 'document.documentElement.lang', language);
};

/** Mails to the signed-in person are in it from then on. */
const assertMailLanguage = (language: string): Promise<void> =>
  assertSoon(async () => {
    const rows = await fixtures.service.store.db.query(
      sql`select page_language from patient where patient_id = ${patient.id}`,
    );
    assert.deepEqual(rows, [{ page_language: language }]);
  });

describe('the language', () => {
  it('is the browser’s first that we speak, and English for who speaks neither', async (t) => {
    for (const [locale, language, title] of [
      ['es-MX', 'es', es.signIn.title],
      ['en-GB', 'en', en.signIn.title],
      ['fr-FR', 'en', en.signIn.title],
    ] as const) {
      const tab = await (await newBrowser(t, fixtures, { locale })).newTab();
      await tab.goto(fixtures.agent.connectUrl());
      await assertLanguage(tab, language, title);
    }
  });

  it('that was chosen stays: on other screens, after a reload, in another tab, and in the mail', async (t) => {
    const email = 'elena@mail.example';
    const elena = await newBrowser(t, fixtures);
    const tab = await elena.newTab();
    await tab.goto(fixtures.agent.connectUrl());
    await waitForScreen(tab, 'sign-in');
    await press(tab, en.common.otherLanguage);
    await assertLanguage(tab, 'es', es.signIn.title);
    await press(tab, es.signIn.signUp);
    await assertLanguage(tab, 'es', es.signUp.title);
    await tab.reload();
    await assertLanguage(tab, 'es', es.signUp.title);
    await fill(tab, { [es.form.email]: email });
    await press(tab, es.signUp.submit);
    await assertLanguage(tab, 'es', es.mailSent.title);
    assert.equal((await waitForMail(fixtures.service, email)).subject, 'Cree su cuenta');
    const other = await elena.newTab();
    await other.goto(`${fixtures.service.baseUrl}/consent/`);
    await assertLanguage(other, 'es', es.start.title);
    // And nothing else is kept.
    await assertInPage(other, '({ ...localStorage })', { 'chartgate-language': 'es' });
    await press(other, es.common.otherLanguage);
    await assertLanguage(other, 'en', en.start.title);
  });

  it('changes on the way without a word of what was typed being lost, and the decision counts', async (t) => {
    const { agent } = fixtures;
    const elena = await newBrowser(t, fixtures);
    const tab = await elena.newTab();
    await tab.goto(agent.connectUrl());
    await fill(tab, { [en.form.email]: patient.email, [en.form.password]: patient.password });
    await press(tab, en.common.otherLanguage);
    await press(tab, es.signIn.submit);
    await assertLanguage(tab, 'es', es.confirmIdentity.title);
    await assertMailLanguage('es');
    await press(tab, es.common.otherLanguage);
    await assertMailLanguage('en');
    await press(tab, en.common.otherLanguage);
    await press(tab, es.confirmIdentity.yes);
    await waitForScreen(tab, 'review');
    await assertLanguage(tab, 'es', es.review.title('Test agent'));
    await press(tab, es.review.allow);
    assert.equal((await agent.exchange((await waitForAgent(tab, agent))['code'])).status, 200);
  });
});

describe('motion', () => {
  const countAnimations = (tab: Page): Promise<number> =>
    tab.evaluate<number>(
      `document.getAnimations().filter(({ playState }) => playState === 'running').length`,
    );

  for (const [reducedMotion, moves] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    it(`is ${moves ? 'there' : 'not there'} for who asked for ${reducedMotion}`, async (t) => {
      const tab = await (await newBrowser(t, fixtures, { reducedMotion })).newTab();
      await tab.goto(fixtures.agent.connectUrl());
      await press(tab, en.signIn.forgotten);
      await fill(tab, { [en.form.email]: 'nobody@mail.example' });
      await press(tab, en.forgotten.submit);
      await waitForScreen(tab, 'mail-sent');
      const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
      await tab.evaluate(twoFrames);
      assert.equal((await countAnimations(tab)) > 0, moves);
    });
  }
});
