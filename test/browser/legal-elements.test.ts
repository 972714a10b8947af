import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { dayOf } from '../../web/consent/src/words/day.ts';
import { en } from '../../web/consent/src/words/en.ts';
import { es } from '../../web/consent/src/words/es.ts';
import { newBrowser, onScreen, openStage, press, type Stage } from '../harness/page.ts';
import { newTestPatient, tellPatients, type TestPatient } from '../harness/service.ts';

const CONTENT = {
  en: { title: 'Sleep study', purpose: 'We look at how people sleep.' },
  es: { title: 'Estudio del sueño', purpose: 'Miramos cómo duermen las personas.' },
};
const WORDS = { en, es } as const;
type Language = keyof typeof WORDS;

/** What each element has to say of this request; the numbers are those of the two laws. */
interface Said {
  language: Language;
  name: string;
  email: string;
  organization: string;
  today: string;
  end: string;
}

const CLIENT = 'Test agent';

const authorization = ({ language, name, email, organization, today, end }: Said) => {
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

const ofProgram = ({ language, name, email, organization, today, end }: Said) => {
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

let stage: Stage;
let patient: TestPatient;
before(async () => {
  stage = await openStage();
  patient = await newTestPatient(stage.service, { consent: false });
  await tellPatients(stage.service, CONTENT);
});
after(() => stage.stop());

async function assertSaid(tab: Page, elements: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [element, texts] of Object.entries(elements)) {
    const place = tab.locator(`[data-element="${element}"]`);
    assert.equal(await place.count(), 1, element);
    assert.ok(await place.isVisible(), element);
    const said = await place.innerText();
    for (const text of texts) assert.ok(said.includes(text), `${element}: ${text} is not in ${said}`);
  }
}

const DAY_MS = 24 * 3600 * 1000;

describe('the review', () => {
  for (const language of ['en', 'es'] as const) {
    const words = WORDS[language];
    it(`has every element of 45 CFR 164.508(c), and of 42 CFR 2.31(a) where it is needed: ${language}`, async (t) => {
      const browser = await newBrowser(t, stage, { locale: `${language}-US` });
      await browser.signIn(patient);
      const tab = await browser.tab();
      await tab.goto(stage.agent.connectUrl());
      await press(tab, words.whoIsThis.yes);
      await onScreen(tab, 'review');
      await tab.getByRole('radio', { name: words.review.howLong.terms['30-days'] }).check();
      const { person, organization } = await browser.interaction(tab);
      const now = Date.now();
      const said: Said = {
        language,
        name: `${person?.firstName} ${person?.lastName}`,
        email: patient.email,
        organization: organization.name,
        today: dayOf(new Date(now).toISOString(), language),
        end: dayOf(new Date(now + 30 * DAY_MS).toISOString(), language),
      };
      await assertSaid(tab, authorization(said));
      const programElements = tab.locator('[data-element^="2.3"]');
      assert.equal(await programElements.count(), 0);
      const program = tab.getByRole('checkbox', { name: words.data.classes.SUD_PART_2.name });
      await program.check();
      await assertSaid(tab, ofProgram(said));
      await assertSaid(tab, authorization(said));
      await program.uncheck();
      assert.equal(await programElements.count(), 0);
    });
  }

  it('says the request of the person itself where a project has no words of its own', async (t) => {
    const silent = await openStage();
    t.after(() => silent.stop());
    const somebody = await newTestPatient(silent.service, { consent: false });
    const browser = await newBrowser(t, silent);
    await browser.signIn(somebody);
    const tab = await browser.tab();
    await tab.goto(silent.agent.connectUrl());
    await press(tab, en.whoIsThis.yes);
    await onScreen(tab, 'review');
    await assertSaid(tab, { '164.508(c)(1)(iv)': [en.review.why.ownRequest(CLIENT)] });
  });
});
