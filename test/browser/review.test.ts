import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { InteractionDecision } from '../../contract/oauth/interaction.ts';
import { MAX_PERSON_NAME_LENGTH } from '../../contract/text-limits.ts';
import { joinTitles } from '../../web/kit/format-list.ts';
import { en, es } from '../harness/words.ts';
import { createSignedInBrowser, registerClient, type QueryParameters } from '../harness/authorization.ts';
import {
  waitForAgent,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  openPrivate,
  press,
  waitUntilIdle,
  waitUntilStill,
  type PersonBrowser,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import {
  assertAbsent,
  assertChecked,
  assertFocused,
  assertInPage,
  assertSoon,
  assertValue,
} from '../harness/page-assertions.ts';
import { newTestPatient, setProjectContent, type TestPatient } from '../harness/service.ts';
import { newInvited, newStudy } from '../harness/study.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

interface Visit {
  patient: TestPatient;
  browser: PersonBrowser;
  tab: Page;
  sent: InteractionDecision[];
}

const { data, review } = en;
async function openReviewScreen(
  t: TestContext,
  parameters: QueryParameters = {},
  before?: TestPatient,
): Promise<Visit> {
  const patient = before ?? (await newTestPatient(fixtures.service, { consent: false }));
  const browser = await newBrowser(t, fixtures);
  await browser.signIn(patient);
  const tab = await browser.newTab();
  const sent: InteractionDecision[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'POST' && /\/oauth\/interaction\/[^/]+$/.test(request.url()))
      sent.push(request.postDataJSON() as InteractionDecision);
  });
  await tab.goto(fixtures.agent.connectUrl(parameters));
  await openReview(tab);
  return { patient, browser, tab, sent };
}

/** An app that cannot come back by itself. */
async function buildOnceParameters(): Promise<QueryParameters> {
  const metadata = { redirect_uris: [fixtures.agent.redirectUri], grant_types: ['authorization_code'] };
  const client = await registerClient(fixtures.service, { client_name: 'Test agent', ...metadata });
  return { client_id: client.client_id as string, scope: 'patient/*.read' };
}

const box = (tab: Page, name: string) => tab.getByRole('checkbox', { name, exact: true });
const radio = (tab: Page, name: string) => tab.getByRole('radio', { name, exact: true });
const assertBoxes = (tab: Page, names: readonly string[], are: readonly boolean[]): Promise<void> =>
  assertSoon(async () =>
    assert.deepEqual(await Promise.all(names.map((name) => box(tab, name).isChecked())), are),
  );

const classNames = Object.values(data.sensitivities).map(({ name }) => name);
const groupNames = Object.values(data.groups);

/** An app's words about itself, all that are shown. */
const ABOUT = {
  client_uri: 'https://health-buddy.example/',
  policy_uri: 'https://health-buddy.example/privacy',
  tos_uri: 'https://health-buddy.example/terms',
  contacts: ['help@health-buddy.example'],
};

/** What an organization says in a review of its own. */
const STUDY = {
  title: 'Better asthma care',
  purpose: 'We want to find out which medicines help people with asthma best.',
  benefits: 'You may understand your own record better.',
  risks: 'Somebody who should not may see what you share.',
  categoryPurposes: {
    MEDICATIONS: 'To see which medicines you take for asthma, and since when.',
    LABS: 'To follow what your lungs and your blood show over the years.',
    IMAGING: 'To see pictures of your lungs.',
  },
};

async function buildAboutParameters(): Promise<QueryParameters> {
  const metadata = { redirect_uris: [fixtures.agent.redirectUri], client_name: 'Health Buddy', ...ABOUT };
  return { client_id: (await registerClient(fixtures.service, metadata)).client_id as string };
}

/** Whether what comes right after the link stands in the line in which the link ends. */
const IS_STOP_BESIDE_LINK = `(() => {
  const link = document.querySelector('.notice a');
  const range = document.createRange();
  const getBottom = (node, at) => {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().bottom;
  };
  const [last, next] = [link.lastChild, link.nextSibling];
  return Math.abs(getBottom(last, last.length - 1) - getBottom(next, 0)) < 8;
})()`;

/** In both languages, in a window as large as that of a usual phone. */
async function assertHeight(tab: Page, part: (words: typeof en | typeof es) => string): Promise<void> {
  await tab.setViewportSize({ width: 390, height: 844 });
  for (const words of [en, es]) {
    await tab.getByText(words.data.emptyRecord.text).waitFor();
    await tab.getByText(part(words)).first().waitFor();
    await waitUntilStill(tab);
    const screens = await tab.evaluate<number>('document.documentElement.scrollHeight / innerHeight');
    assert.ok(screens <= 4.5, `${screens} screens`);
    await press(tab, words.common.otherLanguage);
  }
}

describe('the review on a phone', () => {
  it('asks for everything on four screens and a half, with every warning of an app on this device and an empty record', async (t) => {
    const { tab } = await openReviewScreen(t);
    await assertHeight(tab, ({ requester }) => requester.startedYourself);
  });

  it('begins no line with the full stop of the sentence before', async (t) => {
    const { tab } = await openReviewScreen(t);
    for (const words of [en, es]) {
      for (const width of [320, 360, 390]) {
        await tab.setViewportSize({ width, height: 844 });
        await tab.getByRole('link', { name: words.data.emptyRecord.add }).waitFor();
        await assertInPage(tab, IS_STOP_BESIDE_LINK, true);
      }
      await press(tab, words.common.otherLanguage);
    }
  });

  it('does so where an app has words of its own, behind a line that names them, and where another one reads already', async (t) => {
    const { agent } = fixtures;
    const about = await buildAboutParameters();
    const { tab, patient } = await openReviewScreen(t, about);
    await assertHeight(tab, ({ review: { who } }) => who.says(''));
    const link = tab.getByRole('link', { name: review.who.policy('health-buddy.example') });
    await link.waitFor({ state: 'hidden' });
    await tab.getByText(review.who.says('')).click();
    await link.and(tab.locator(`[href="${ABOUT.policy_uri}"]`)).waitFor();
    await press(tab, review.allow);
    await agent.exchange((await waitForAgent(tab, agent))['code'], about);
    const { tab: second } = await openReviewScreen(t, await buildAboutParameters(), patient);
    await assertHeight(second, ({ review: { changed } }) => changed.alsoFor('Health Buddy'));
  });

  it('does so where an organization asks by itself, with what it needs each kind of data for', async (t) => {
    const projectId = await newStudy(fixtures.service, [
      {
        type: 'DATA_AUTHORIZATION',
        content: {
          en: STUDY,
          es: STUDY,
          contact: { name: 'Dr. Ana Ruiz', email: 'asthma@riverside.example', phone: '+1 555 010 2030' },
        },
      },
    ]);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(await newInvited(fixtures.service, projectId));
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link`);
    await openReview(tab);
    await assertHeight(tab, () => STUDY.categoryPurposes.IMAGING);
  });
});

describe('what one shares, on the review', () => {
  it('is at first what is asked for and nothing very private, for the shortest time that does', async (t) => {
    const { browser, tab, sent } = await openReviewScreen(t);
    await assertBoxes(
      tab,
      groupNames,
      groupNames.map(() => true),
    );
    await tab.getByText(data.notShared(joinTitles(classNames)), { exact: true }).waitFor();
    // Collapsed.
    for (const name of classNames) await assertAbsent(box(tab, name));
    await openPrivate(tab);
    await assertBoxes(
      tab,
      classNames,
      classNames.map(() => false),
    );
    assert.equal((await browser.getInteraction(tab)).offlineAccess, true);
    await assertChecked(radio(tab, review.howLong.durations['90-days']), true);
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    const { consentDataResourceScopes, consentDataSensitivityScopes, duration, representative } =
      sent[0] ?? {};
    assert.deepEqual(
      [consentDataResourceScopes, consentDataSensitivityScopes, duration, representative],
      [null, null, '90-days', null],
    );
    const [consent] = await browser.listConsents();
    assert.equal(consent?.fullRecordWithoutRestrictedData, true);
  });

  it('is chosen by group and by kind, outlives another language and the way back, and is what is recorded', async (t) => {
    const { browser, tab } = await openReviewScreen(t);
    await box(tab, data.groups.problems).uncheck();
    await press(tab, data.oneByOneIn(data.groups.tests));
    await box(tab, data.categories.GENOMIC_DATA.name).uncheck();
    await openPrivate(tab);
    await box(tab, data.sensitivities.HIV_OR_STI.name).check();
    await openPrivate(tab);
    await tab.getByText(data.shared(data.sensitivities.HIV_OR_STI.name), { exact: true }).waitFor();
    await openPrivate(tab);
    await assertInPage(tab, `document.getElementById('share-tests').indeterminate`, true);

    await press(tab, en.common.otherLanguage);
    await assertBoxes(
      tab,
      [es.data.groups.problems, es.data.groups.you, es.data.sensitivities.HIV_OR_STI.name],
      [false, true, true],
    );
    await press(tab, es.common.otherLanguage);
    await tab.goBack();
    await waitForScreen(tab, 'who-is-this');
    await openReview(tab);
    await assertBoxes(tab, [data.groups.problems, data.groups.you], [false, true]);
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);

    const [consent] = await browser.listConsents();
    const categories: readonly string[] = consent?.consentDataResourceScopes ?? [];
    assert.equal(categories.length, 15);
    for (const name of ['DIAGNOSES', 'ALLERGIES', 'GENOMIC_DATA'])
      assert.ok(!categories.includes(name), name);
    assert.deepEqual(consent?.consentDataSensitivityScopes, ['NORMAL', 'HIV_OR_STI']);
  });

  it('is at least something: else it says so, leads there, and sends nothing', async (t) => {
    const { tab, sent } = await openReviewScreen(t);
    await press(tab, data.shareNone);
    await press(tab, review.allow);
    const alert = tab.getByRole('alert');
    await alert.getByRole('link', { name: review.errors.categories }).click();
    await assertInPage(tab, 'document.activeElement.id', 'share-you');
    await waitForScreen(tab, 'review');
    await waitUntilStill(tab);
    assert.deepEqual(sent, []);
    await press(tab, data.shareAll);
    await alert.waitFor({ state: 'detached' });
  });

  it('stays in view where nothing is chosen once more, and each fault takes the focus once an attempt', async (t) => {
    const { tab } = await openReviewScreen(t);
    const alert = tab.getByRole('alert');
    const list = tab.locator('.kinds').first();
    const group = tab.locator('#share-you');
    await press(tab, data.shareNone);
    await press(tab, review.allow);
    await assertFocused(tab, en.common.problem + review.errors.categories);
    for (const _ of ['the fault goes and comes', 'and once more']) {
      await group.check();
      await alert.waitFor({ state: 'detached' });
      await group.uncheck();
      await alert.waitFor();
      await waitUntilIdle(tab);
      await assertInPage(tab, 'document.activeElement.id', 'share-you');
      await group.check();
      await alert.waitFor({ state: 'detached' });
      await press(tab, data.shareNone);
      await alert.waitFor();
      await waitUntilIdle(tab);
      await assertFocused(tab, data.shareNone);
      const height = (await list.boundingBox())?.height ?? 0;
      assert.ok(height > 200, `the list of what can be shared is ${height} px high`);
    }
    await press(tab, review.allow);
    await assertFocused(tab, en.common.problem + review.errors.categories);
  });
});

describe('for how long', () => {
  const formatDay = (ahead: number): string =>
    new Date(Date.now() + ahead * 24 * 3600 * 1000).toISOString().slice(0, 10);

  it('until a day needs one that can be', async (t) => {
    const { browser, tab, sent } = await openReviewScreen(t);
    await radio(tab, review.howLong.durations.until).check();
    await press(tab, review.allow);
    await tab.getByRole('alert').getByText(review.errors.dayMissing).waitFor();
    for (const wrong of [formatDay(-1), formatDay(400)]) {
      await tab.getByLabel(review.howLong.day).fill(wrong);
      await press(tab, review.allow);
      await tab
        .getByRole('alert')
        .getByText(/from .* to/)
        .waitFor();
    }
    await waitUntilStill(tab);
    assert.deepEqual(sent, []);
    await tab.getByLabel(review.howLong.day).fill(formatDay(40));
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    const [consent] = await browser.listConsents();
    assert.equal(consent?.until, new Date(`${formatDay(41)}T00:00:00`).toISOString());
  });

  it('is once where an app asks for no more, and once is no reading while one is away', async (t) => {
    const { browser, tab } = await openReviewScreen(t, await buildOnceParameters());
    assert.equal((await browser.getInteraction(tab)).offlineAccess, false);
    await tab.getByRole('heading', { name: review.away.not }).waitFor();
    await assertChecked(radio(tab, review.howLong.durations.once), true);

    await tab.goto(fixtures.agent.connectUrl());
    await openReview(tab);
    await tab.getByRole('heading', { name: review.away.title }).waitFor();
    await assertChecked(radio(tab, review.howLong.durations['90-days']), true);
    await radio(tab, review.howLong.durations.once).check();
    await tab.getByText(review.away.once('Test agent')).waitFor();
  });
});

describe('who signs for somebody', () => {
  it('says who they are and what lets them', async (t) => {
    const { tab, sent } = await openReviewScreen(t);
    await box(tab, review.decision.represent).check();
    await press(tab, review.allow);
    const alert = tab.getByRole('alert');
    await alert.getByText(review.errors.nameMissing).waitFor();
    await alert.getByText(review.errors.authorityMissing).waitFor();
    await waitUntilStill(tab);
    assert.deepEqual(sent, []);
    const name = tab.getByLabel(review.decision.representName);
    await name.focus();
    await tab.keyboard.insertText('x'.repeat(2 * MAX_PERSON_NAME_LENGTH));
    await assertValue(name, 'x'.repeat(MAX_PERSON_NAME_LENGTH));
    await name.fill('  Ana Elm ');
    await radio(tab, en.authorities.guardian).check();
    await tab.getByText(/^Ana Elm signs for /).waitFor();
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    const [decision] = sent as InteractionDecision[];
    assert.deepEqual(decision?.representative, { name: 'Ana Elm', authority: 'guardian' });
  });
});

describe('a second time', () => {
  it('shows what is shared and what changed, and begins with just that, until it ends', async (t) => {
    await setProjectContent(fixtures.service, { en: { title: 'Sleep study', purpose: 'We look at sleep.' } });
    const first = await openReviewScreen(t);
    await box(first.tab, data.groups.life).uncheck();
    await openPrivate(first.tab);
    await box(first.tab, data.sensitivities.MENTAL_HEALTH.name).check();
    await radio(first.tab, review.howLong.durations['1-year']).check();
    await press(first.tab, review.allow);
    await waitForAgent(first.tab, fixtures.agent);
    await setProjectContent(fixtures.service, {
      en: { title: 'Sleep study', purpose: 'We look at dreams.' },
    });

    const { tab } = await openReviewScreen(t, {}, first.patient);
    const changed = tab
      .locator('section')
      .filter({ has: tab.getByRole('heading', { name: review.changed.sharing }) });
    const text = await changed.innerText();
    for (const said of [
      data.categories.DIAGNOSES.name,
      data.sensitivities.MENTAL_HEALTH.name,
      review.changed.contentChanged,
      'We look at sleep.',
      'We look at dreams.',
      review.changed.replaces,
    ])
      assert.ok(text.includes(said), said);
    await assertBoxes(tab, [data.groups.life, data.groups.you], [false, true]);
    await assertBoxes(
      tab,
      classNames,
      classNames.map((name) => name === data.sensitivities.MENTAL_HEALTH.name),
    );
    const asNow = tab.getByRole('radio', { name: /^Until .*, as now$/ });
    await assertChecked(asNow, true);
    await asNow.focus();
    await tab.keyboard.press('ArrowDown');
    await assertChecked(radio(tab, review.howLong.durations.once), true);
  });

  it('gives another app less, and says what that leaves to whom: the first app keeps what it has', async (t) => {
    const { patient, browser, tab: first } = await openReviewScreen(t);
    await openPrivate(first);
    await box(first, data.sensitivities.HIV_OR_STI.name).check();
    await press(first, review.allow);
    await waitForAgent(first, fixtures.agent);
    const [before] = await browser.listConsents();
    assert.ok(before);
    const other = { client_id: (await buildOnceParameters())['client_id'] };
    const { tab } = await openReviewScreen(t, other, patient);
    const compared = tab.getByRole('status', { name: review.decision.compared.title });
    await compared.getByText(review.decision.compared.same(before.organization.name)).waitFor();

    await box(tab, data.groups.life).uncheck();
    await box(tab, data.sensitivities.HIV_OR_STI.name).uncheck();
    await radio(tab, review.howLong.durations.once).check();
    for (const said of [
      review.decision.compared.less(before.organization.name),
      review.decision.compared.sooner,
      data.sensitivities.HIV_OR_STI.name,
      data.categories.SOCIAL_HISTORY.name,
      review.decision.compared.forAll,
    ])
      await compared.getByText(said).first().waitFor();
    await press(tab, review.allow);
    await waitForAgent(tab, fixtures.agent);
    const [after] = await browser.listConsents();
    assert.deepEqual(
      [after?.until, after?.consentDataResourceScopes, after?.consentDataSensitivityScopes],
      [before.until, before.consentDataResourceScopes, before.consentDataSensitivityScopes],
    );
  });

  it('asks once more where what is shared has changed while the page was open', async (t) => {
    const { patient, browser, tab: first } = await openReviewScreen(t);
    await press(first, review.allow);
    await waitForAgent(first, fixtures.agent);
    const { browser: again, tab } = await openReviewScreen(t, {}, patient);
    const me = await createSignedInBrowser(fixtures.service, patient);
    const [consent] = await browser.listConsents();
    const narrowed = {
      projectId: consent?.project.id,
      consentDataResourceScopes: ['LABS'],
      consentDataSensitivityScopes: null,
    };
    assert.equal((await me.post('/account/consents/narrow', narrowed)).status, 200);
    again.expectRefusals('409 POST /oauth/interaction/');
    await press(tab, review.allow);
    await tab.getByRole('alert').getByText(en.errors.consentChanged).waitFor();
    await assertBoxes(tab, [data.groups.life], [false]);
  });
});

describe('a project that speaks one language only', () => {
  it('is shown in that, marked as such, and read out as such', async (t) => {
    await setProjectContent(fixtures.service, { es: { title: 'Estudio', purpose: 'Miramos cómo duermen.' } });
    const { tab } = await openReviewScreen(t);
    await tab.getByText(review.why.onlyIn).waitFor();
    await tab.getByText('Miramos cómo duermen.').and(tab.locator('[lang=es]')).first().waitFor();
    await press(tab, en.common.otherLanguage);
    await tab.getByText('Miramos cómo duermen.').first().waitFor();
    await assertAbsent(tab.getByText(es.review.why.onlyIn));
  });

  it('of which some is written in both, is marked at each text that one language lacks', async (t) => {
    await setProjectContent(fixtures.service, {
      en: { title: 'Sleep', purpose: 'How people sleep.' },
      es: {
        title: 'Sueño',
        purpose: 'Cómo duermen.',
        risks: 'Uno.',
        categoryPurposes: { LABS: 'La sangre.' },
      },
    });
    const { tab } = await openReviewScreen(t);
    await tab.getByText('How people sleep.').first().waitFor();
    await assertAbsent(tab.getByText(review.why.onlyIn));
    for (const text of ['Uno.', 'La sangre.'])
      await tab
        .locator(':is(dd, li)')
        .filter({ has: tab.locator('[lang=es]').getByText(text, { exact: true }) })
        .filter({ hasText: `(${review.why.onlyThisIn})` })
        .first()
        .waitFor();
  });
});
