import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import { formatDay, formatLastDay } from '../../web/kit/format-date.ts';
import { en, es } from '../harness/words.ts';
import {
  newBrowser,
  waitForAgent,
  waitForScreen,
  openBrowserFixtures,
  openPrivate,
  press,
  waitUntilStill,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertCount, assertSoon } from '../harness/page-assertions.ts';
import { newTestPatient, setProjectContent, type TestPatient } from '../harness/service.ts';

const CONTENT = {
  en: { title: 'Sleep study', purpose: 'We look at how people sleep.' },
  es: { title: 'Estudio del sueño', purpose: 'Miramos cómo duermen las personas.' },
};
const WORDS = { en, es } as const;
type Language = keyof typeof WORDS;

/** What each element has to say of this request; the numbers are those of the two laws. */
interface StatedElements {
  language: Language;
  name: string;
  email: string;
  organization: string;
  today: string;
  end: string;
}

const CLIENT = 'Test agent';

const authorization = ({ language, name, email, organization, today, end }: StatedElements) => {
  const { data, review } = WORDS[language];
  return {
    '164.508(c)(1)(i)': Object.values(data.categories).map((category) => category.name),
    '164.508(c)(1)(ii)': [organization],
    '164.508(c)(1)(iii)': [CLIENT, organization],
    '164.508(c)(1)(iv)': [CONTENT[language].purpose],
    '164.508(c)(1)(v)': [end],
    '164.508(c)(1)(vi)': [name, email, today, review.decision.represent],
    '164.508(c)(2)(i)': [review.stopping.text, '/consent/#/my-data', review.stopping.limits],
    '164.508(c)(2)(ii)': [review.good.free(organization)],
    '164.508(c)(2)(iii)': [review.good.passedOn(CLIENT)],
    '164.508(c)(4)': [review.good.copy],
  };
};

const part2Elements = ({ language, name, email, organization, today, end }: StatedElements) => {
  const { part2 } = WORDS[language].review;
  return {
    '2.31(a)(1)': [name],
    '2.31(a)(2)': [organization],
    '2.31(a)(3)': [part2.whatText, part2.notNotes],
    '2.31(a)(4)': [CLIENT, organization],
    '2.31(a)(5)': [CONTENT[language].purpose],
    '2.31(a)(6)': [part2.stopText],
    '2.31(a)(7)': [end],
    '2.31(a)(8)': [name, email],
    '2.31(a)(9)': [today],
    '2.32': [part2.passedOn],
  };
};

let fixtures: BrowserFixtures;
let patient: TestPatient;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  patient = await newTestPatient(fixtures.service, { consent: false });
  await setProjectContent(fixtures.service, CONTENT);
});
after(() => fixtures.stop());

async function assertStated(tab: Page, elements: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [element, texts] of Object.entries(elements)) {
    const place = tab.locator(`[data-element="${element}"]`);
    await assertCount(place, 1, element);
    await place.waitFor();
    await assertSoon(async () => {
      const said = await place.innerText();
      for (const text of texts) assert.ok(said.includes(text), `${element}: ${text} is not in ${said}`);
    });
  }
}

const DAY_MS = 24 * 3600 * 1000;

describe('the review', () => {
  for (const language of ['en', 'es'] as const) {
    const words = WORDS[language];
    it(`has every element of 45 CFR 164.508(c), and of 42 CFR 2.31(a) where it is needed: ${language}`, async (t) => {
      const browser = await newBrowser(t, fixtures, { locale: `${language}-US` });
      await browser.signIn(patient);
      const tab = await browser.newTab();
      await tab.goto(fixtures.agent.connectUrl());
      await press(tab, words.confirmIdentity.yes);
      await waitForScreen(tab, 'review');
      await tab.getByRole('radio', { name: words.review.howLong.durations['30-days'] }).check();
      const { person, organization } = await browser.getInteraction(tab);
      const now = Date.now();
      const said: StatedElements = {
        language,
        name: `${person?.firstName} ${person?.lastName}`,
        email: patient.email,
        organization: organization.name,
        today: formatDay(new Date(now).toISOString(), language),
        end: formatDay(new Date(now + 30 * DAY_MS).toISOString(), language),
      };
      await assertStated(tab, authorization(said));
      const programElements = tab.locator('[data-element^="2.3"]');
      await assertAbsent(programElements);
      await openPrivate(tab, words);
      const program = tab.getByRole('checkbox', { name: words.data.sensitivities.SUD_PART_2.name });
      await program.check();
      await assertStated(tab, part2Elements(said));
      await assertStated(tab, authorization(said));
      await program.uncheck();
      await assertAbsent(programElements);
    });
  }

  it('has all of it on its short form too, within two screens and a half of a phone, and leads to the whole', async (t) => {
    const { service, agent } = fixtures;
    const person = await newTestPatient(service, { consent: false });
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    const open = async (): Promise<void> => {
      await tab.goto(agent.connectUrl());
      await press(tab, en.confirmIdentity.yes);
    };
    await open();
    await press(tab, en.review.allow);
    await agent.exchange((await waitForAgent(tab, agent))['code']);
    await open();
    await waitForScreen(tab, 'review-short');
    await tab.setViewportSize({ width: 390, height: 844 });
    const { person: shown, organization, previous } = await browser.getInteraction(tab);
    for (const language of ['en', 'es'] as const) {
      const words = WORDS[language];
      const stated = authorization({
        language,
        name: `${shown?.firstName} ${shown?.lastName}`,
        email: person.email,
        organization: organization.name,
        today: formatDay(new Date().toISOString(), language),
        end: formatLastDay(previous?.expiresAt ?? '', language),
      });
      await assertStated(tab, {
        ...stated,
        '164.508(c)(1)(i)': [words.review.decision.everything],
        '164.508(c)(1)(vi)': stated['164.508(c)(1)(vi)'].slice(0, 3),
      });
      await waitUntilStill(tab);
      const screens = await tab.evaluate<number>('document.documentElement.scrollHeight / innerHeight');
      assert.ok(screens <= 2.5, `${screens} screens`);
      await press(tab, words.common.otherLanguage);
    }
    await assertAbsent(tab.getByRole('checkbox'));
    await press(tab, en.review.short.readAll);
    await waitForScreen(tab, 'review');
    await tab.reload();
    await waitForScreen(tab, 'review-short');
    await press(tab, en.review.allow);
    assert.ok((await waitForAgent(tab, agent))['code']);
    const kept = await service.store.db.query(sql`
      select screen from consent_screenshot where patient_id = ${person.id} and screen like 'review%' order by taken_at`);
    assert.deepEqual(kept, [{ screen: 'review' }, { screen: 'review-short' }]);
  });

  it('says the request of the person itself where a project has no words of its own', async (t) => {
    const silent = await openBrowserFixtures({ pictures: 'plain' });
    t.after(() => silent.stop());
    const somebody = await newTestPatient(silent.service, { consent: false });
    const browser = await newBrowser(t, silent);
    await browser.signIn(somebody);
    const tab = await browser.newTab();
    await tab.goto(silent.agent.connectUrl());
    await press(tab, en.confirmIdentity.yes);
    await waitForScreen(tab, 'review');
    await assertStated(tab, { '164.508(c)(1)(iv)': [en.review.why.ownRequest(CLIENT)] });
  });
});
