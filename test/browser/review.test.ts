import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { InteractionDecision } from '../../contract/interaction.ts';
import { en } from '../../web/consent/src/words/en.ts';
import { es } from '../../web/consent/src/words/es.ts';
import { registerClient, type Parameters } from '../harness/authorization.ts';
import {
  backAtAgent,
  newBrowser,
  onScreen,
  openStage,
  press,
  type PersonBrowser,
  type Stage,
  toReview,
} from '../harness/page.ts';
import { newTestPatient, tellPatients, type TestPatient } from '../harness/service.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage.stop());

interface Visit {
  patient: TestPatient;
  browser: PersonBrowser;
  tab: Page;
  sent: InteractionDecision[];
}

const { data, review } = en;
async function onReview(t: TestContext, asks: Parameters = {}, before?: TestPatient): Promise<Visit> {
  const patient = before ?? (await newTestPatient(stage.service, { consent: false }));
  const browser = await newBrowser(t, stage);
  await browser.signIn(patient);
  const tab = await browser.tab();
  const sent: InteractionDecision[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/oauth/interaction/'))
      sent.push(request.postDataJSON() as InteractionDecision);
  });
  await tab.goto(stage.agent.connectUrl(asks));
  await toReview(tab);
  return { patient, browser, tab, sent };
}

/** An app that cannot come back by itself. */
async function askingOnce(): Promise<Parameters> {
  const metadata = { redirect_uris: [stage.agent.redirectUri], grant_types: ['authorization_code'] };
  const client = await registerClient(stage.service, { client_name: 'Test agent', ...metadata });
  return { client_id: client.client_id as string, scope: 'patient/*.read' };
}

const box = (tab: Page, name: string) => tab.getByRole('checkbox', { name, exact: true });
const radio = (tab: Page, name: string) => tab.getByRole('radio', { name, exact: true });
const isChecked = async (tab: Page, ...names: string[]): Promise<boolean[]> =>
  Promise.all(names.map((name) => box(tab, name).isChecked()));

const classNames = Object.values(data.classes).map(({ name }) => name);
const groupNames = Object.values(data.groups);

describe('what one shares, on the review', () => {
  it('is at first what is asked for and nothing very private, for the shortest time that does', async (t) => {
    const { browser, tab, sent } = await onReview(t);
    assert.deepEqual(
      await isChecked(tab, ...groupNames),
      groupNames.map(() => true),
    );
    assert.deepEqual(
      await isChecked(tab, ...classNames),
      classNames.map(() => false),
    );
    assert.equal((await browser.interaction(tab)).offlineAccess, true);
    assert.ok(await radio(tab, review.howLong.terms['90-days']).isChecked());
    await press(tab, review.allow);
    await backAtAgent(tab, stage.agent);
    const { consentDataResourceScopes, consentDataSensitivityScopes, duration, representative } =
      sent[0] ?? {};
    assert.deepEqual(
      [consentDataResourceScopes, consentDataSensitivityScopes, duration, representative],
      [null, null, '90-days', null],
    );
    const [consent] = await browser.consents();
    assert.equal(consent?.fullRecordWithoutRestrictedData, true);
  });

  it('is chosen by group and by kind, outlives another language and the way back, and is what is recorded', async (t) => {
    const { browser, tab } = await onReview(t);
    await box(tab, data.groups.problems).uncheck();
    await press(tab, data.oneByOneIn(data.groups.tests));
    await box(tab, data.categories.GENOMIC_DATA.name).uncheck();
    await box(tab, data.classes.HIV_OR_STI.name).check();
    assert.equal(await tab.evaluate(`document.getElementById('share-tests').indeterminate`), true);

    await press(tab, en.common.otherLanguage);
    assert.deepEqual(
      await isChecked(tab, es.data.groups.problems, es.data.groups.you, es.data.classes.HIV_OR_STI.name),
      [false, true, true],
    );
    await press(tab, es.common.otherLanguage);
    await tab.goBack();
    await onScreen(tab, 'who-is-this');
    await toReview(tab);
    assert.deepEqual(await isChecked(tab, data.groups.problems, data.groups.you), [false, true]);
    await press(tab, review.allow);
    await backAtAgent(tab, stage.agent);

    const [consent] = await browser.consents();
    const categories: readonly string[] = consent?.consentDataResourceScopes ?? [];
    assert.equal(categories.length, 15);
    for (const name of ['DIAGNOSES', 'ALLERGIES', 'GENOMIC_DATA'])
      assert.ok(!categories.includes(name), name);
    assert.deepEqual(consent?.consentDataSensitivityScopes, ['NORMAL', 'HIV_OR_STI']);
  });

  it('is at least something: else it says so, leads there, and sends nothing', async (t) => {
    const { tab, sent } = await onReview(t);
    await press(tab, data.shareNone);
    await press(tab, review.allow);
    const alert = tab.getByRole('alert');
    await alert.getByRole('link', { name: review.faults.categories }).click();
    assert.equal(await tab.evaluate('document.activeElement.id'), 'share-you');
    await onScreen(tab, 'review');
    assert.deepEqual(sent, []);
    await press(tab, data.shareAll);
    await alert.waitFor({ state: 'detached' });
  });
});

describe('for how long', () => {
  const day = (ahead: number): string =>
    new Date(Date.now() + ahead * 24 * 3600 * 1000).toISOString().slice(0, 10);

  it('until a day needs one that can be', async (t) => {
    const { browser, tab, sent } = await onReview(t);
    await radio(tab, review.howLong.terms.until).check();
    await press(tab, review.allow);
    await tab.getByRole('alert').getByText(review.faults.dayMissing).waitFor();
    for (const wrong of [day(-1), day(400)]) {
      await tab.getByLabel(review.howLong.day).fill(wrong);
      await press(tab, review.allow);
      await tab
        .getByRole('alert')
        .getByText(/from .* to/)
        .waitFor();
    }
    assert.deepEqual(sent, []);
    await tab.getByLabel(review.howLong.day).fill(day(40));
    await press(tab, review.allow);
    await backAtAgent(tab, stage.agent);
    const [consent] = await browser.consents();
    assert.equal(consent?.until, new Date(`${day(41)}T00:00:00`).toISOString());
  });

  it('is once where an app asks for no more, and once is no reading while one is away', async (t) => {
    const { browser, tab } = await onReview(t, await askingOnce());
    assert.equal((await browser.interaction(tab)).offlineAccess, false);
    await tab.getByRole('heading', { name: review.away.not }).waitFor();
    assert.ok(await radio(tab, review.howLong.terms.once).isChecked());

    await tab.goto(stage.agent.connectUrl());
    await toReview(tab);
    await tab.getByRole('heading', { name: review.away.title }).waitFor();
    assert.ok(await radio(tab, review.howLong.terms['90-days']).isChecked());
    await radio(tab, review.howLong.terms.once).check();
    await tab.getByText(review.away.once('Test agent')).waitFor();
  });
});

describe('who signs for somebody', () => {
  it('says who they are and what lets them', async (t) => {
    const { tab, sent } = await onReview(t);
    await box(tab, review.decision.represent).check();
    await press(tab, review.allow);
    const alert = tab.getByRole('alert');
    await alert.getByText(review.faults.nameMissing).waitFor();
    await alert.getByText(review.faults.authorityMissing).waitFor();
    assert.deepEqual(sent, []);
    await tab.getByLabel(review.decision.representName).fill('  Ana Elm ');
    await radio(tab, review.decision.authorities.guardian).check();
    await tab.getByText(/^Ana Elm signs for /).waitFor();
    await press(tab, review.allow);
    await backAtAgent(tab, stage.agent);
    const [decision] = sent as InteractionDecision[];
    assert.deepEqual(decision?.representative, { name: 'Ana Elm', authority: 'guardian' });
  });
});

describe('a second time', () => {
  it('shows what is shared and what changed, and begins with no more than that', async (t) => {
    await tellPatients(stage.service, { en: { title: 'Sleep study', purpose: 'We look at sleep.' } });
    const first = await onReview(t);
    await box(first.tab, data.groups.life).uncheck();
    await box(first.tab, data.classes.MENTAL_HEALTH.name).check();
    await radio(first.tab, review.howLong.terms['1-year']).check();
    await press(first.tab, review.allow);
    await backAtAgent(first.tab, stage.agent);
    await tellPatients(stage.service, { en: { title: 'Sleep study', purpose: 'We look at dreams.' } });

    const { tab } = await onReview(t, {}, first.patient);
    const changed = tab
      .locator('section')
      .filter({ has: tab.getByRole('heading', { name: review.changed.sharing }) });
    const text = await changed.innerText();
    for (const said of [
      data.categories.DIAGNOSES.name,
      data.classes.MENTAL_HEALTH.name,
      review.changed.contentChanged,
      'We look at sleep.',
      'We look at dreams.',
      review.changed.replaces,
    ])
      assert.ok(text.includes(said), said);
    assert.deepEqual(await isChecked(tab, data.groups.life, data.groups.you), [false, true]);
    assert.deepEqual(
      await isChecked(tab, ...classNames),
      classNames.map(() => false),
    );
  });
});

describe('a project that speaks one language only', () => {
  it('is shown in that, told as such, and read out as such', async (t) => {
    await tellPatients(stage.service, { es: { title: 'Estudio', purpose: 'Miramos cómo duermen.' } });
    const { tab } = await onReview(t);
    await tab.getByText(review.why.onlyIn).waitFor();
    assert.equal(await tab.getByText('Miramos cómo duermen.').first().getAttribute('lang'), 'es');
    await press(tab, en.common.otherLanguage);
    await tab.getByText('Miramos cómo duermen.').first().waitFor();
    assert.equal(await tab.getByText(es.review.why.onlyIn).count(), 0);
  });
});
