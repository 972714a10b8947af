import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import type { ConsentRecord } from '../../contract/organization/consent-records.ts';
import type { InteractionDecision } from '../../contract/oauth/interaction.ts';
import { ResourceScope } from '../../contract/data-categories.ts';
import { parseKeySet, verifyReceipt } from '../../server/consent/receipts/verify-receipt.ts';
import { formatCalendarDay } from '../../web/kit/format-date.ts';
import { en, type Words, es } from '../harness/words.ts';
import type { Language } from '../../web/kit/languages.ts';
import { newAccount, type TestAccount } from '../harness/account.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { PNG_SIGNATURE } from '../harness/evidence.ts';
import { createMcpAgent } from '../harness/mcp-agent.ts';
import { getPatientId, uploadOnPage, waitForUploads } from '../harness/my-data.ts';
import {
  waitForAgent,
  DESKTOP,
  fill,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  PHONE,
  openPrivate,
  press,
  type PersonBrowser,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertChecked, assertTexts } from '../harness/page-assertions.ts';
import { call, getOrganizationToken, setProjectContent } from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

const DAY_MS = 24 * 3600 * 1000;

const lab = (id: string, code: string, display: string): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
    },
  ],
  code: { coding: [{ system: 'http://loinc.org', code, display }], text: display },
  effectiveDateTime: '2026-03-02',
  valueQuantity: { value: 5, unit: 'mmol/L' },
});

/** One thing of each kind that the story chooses between. */
const RECORD = createBundle(
  lab('glucose', '2339-0', 'Glucose'),
  lab('load', '20447-9', 'Viral load'),
  lab('pregnancy', '2106-3', 'Pregnancy test'),
  {
    resourceType: 'AllergyIntolerance',
    id: 'nuts',
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Peanut' },
  },
  {
    resourceType: 'Immunization',
    id: 'flu',
    status: 'completed',
    vaccineCode: { text: 'Influenza' },
    occurrenceDateTime: '2024-10-10',
  },
);

const PROJECT_CONTENT = {
  en: { title: 'Heart study', purpose: 'We look at how hearts age.' },
  es: { title: 'Estudio del corazón', purpose: 'Miramos cómo envejece el corazón.' },
};
const UPDATED_CONTENT = {
  en: { title: 'Heart study', purpose: 'We now also train a program on what you share.' },
  es: { title: 'Estudio del corazón', purpose: 'Ahora también entrenamos un programa con lo que comparte.' },
};

interface Person {
  where: string;
  viewport: { width: number; height: number };
  locale: string;
  words: Words;
  language: Language;
}

const PEOPLE: readonly Person[] = [
  { where: 'on a phone, in Spanish', viewport: PHONE, locale: 'es-MX', words: es, language: 'es' },
  { where: 'on a desktop, in English', viewport: DESKTOP, locale: 'en-US', words: en, language: 'en' },
];

/** What the sections of a story share. */
interface Story extends Person {
  tab: Page;
  browser: PersonBrowser;
  account: TestAccount;
  patientId: string;
  /** Text of a tool's answer. */
  reads(tool: string): Promise<string>;
  connected(): Promise<Client>;
  sent: InteractionDecision[];
}

async function begin(t: TestContext, person: Person): Promise<Story> {
  const { service, agent } = fixtures;
  await setProjectContent(service, PROJECT_CONTENT);
  const me = createTestBrowser(service);
  const account = await newAccount(service, me);
  await uploadOnPage(service, me, await createArchive({ 'record.json': RECORD }));
  await waitForUploads(me);
  const { viewport, locale, words } = person;
  const browser = await newBrowser(t, fixtures, { viewport, locale, reducedMotion: 'reduce' });
  const tab = await browser.newTab();
  const sent: InteractionDecision[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'POST' && /\/oauth\/interaction\/[^/]+$/.test(request.url()))
      sent.push(request.postDataJSON() as InteractionDecision);
  });

  let decide = makeFirstDecision;
  const program = createMcpAgent({
    redirectUrl: agent.redirectUri,
    async open(url) {
      await tab.goto(url.href);
      await decide({ tab, words, account });
      await waitForAgent(tab, agent);
      return new URL(tab.url());
    },
  });
  let client = await program.connect(`${service.baseUrl}/mcp`);
  t.after(() => client.close());
  return {
    ...person,
    tab,
    browser,
    account,
    patientId: getPatientId(me),
    sent,
    async reads(name) {
      const { content, isError } = await client.callTool({ name, arguments: {} });
      assert.ok(!isError);
      return (content as { text: string }[]).map(({ text }) => text).join('\n');
    },
    async connected() {
      await client.close();
      program.clientState.tokens = undefined;
      decide = makeSecondDecision;
      client = await program.connect(`${service.baseUrl}/mcp`);
      return client;
    },
  };
}

type Deciding = Pick<Story, 'tab' | 'words' | 'account'>;

const box = (tab: Page, name: string) => tab.getByRole('checkbox', { name, exact: true });

/** Two groups off, one very private class on, thirty days. */
async function makeFirstDecision({ tab, words, account }: Deciding): Promise<void> {
  await waitForScreen(tab, 'sign-in');
  await fill(tab, { [words.form.email]: account.email, [words.form.password]: account.password });
  await press(tab, words.signIn.submit);
  await waitForScreen(tab, 'who-is-this');
  await press(tab, words.confirmIdentity.yes);
  await waitForScreen(tab, 'review');
  await tab
    .getByText(PROJECT_CONTENT[words === es ? 'es' : 'en'].purpose)
    .first()
    .waitFor();
  await box(tab, words.data.groups.problems).uncheck();
  await box(tab, words.data.groups.life).uncheck();
  await openPrivate(tab, words);
  await box(tab, words.data.sensitivities.HIV_OR_STI.name).check();
  await tab.getByRole('radio', { name: words.review.howLong.durations['30-days'], exact: true }).check();
  await press(tab, words.review.allow);
}

/** A second request after the project's content changed: what was shown and shared then stands beside what is shown now. */
async function makeSecondDecision({ tab, words }: Deciding): Promise<void> {
  await waitForScreen(tab, 'who-is-this');
  await press(tab, words.confirmIdentity.yes);
  await waitForScreen(tab, 'review');
  const { changed } = words.review;
  const { data } = words;
  const language = words === es ? 'es' : 'en';
  const text = await tab
    .locator('section')
    .filter({ has: tab.getByRole('heading', { name: changed.sharing }) })
    .innerText();
  const names = [data.categories.VISITS.name, data.sensitivities.HIV_OR_STI.name];
  for (const said of [
    changed.contentChanged,
    PROJECT_CONTENT[language].purpose,
    UPDATED_CONTENT[language].purpose,
    ...names,
  ])
    assert.ok(text.includes(said), said);
  for (const left of ['ALLERGIES', 'LABS'] as const)
    assert.ok(!text.includes(data.categories[left].name), `${left} was not shared`);
  await assertChecked(box(tab, data.groups.problems), false);
  await assertChecked(box(tab, data.sensitivities.HIV_OR_STI.name), true, 'as it is shared now');
  await press(tab, words.review.allow);
}

const LEFT_OUT: readonly ResourceScope[] = [
  'DIAGNOSES',
  'ALLERGIES',
  'FAMILY_HISTORY',
  'SOCIAL_HISTORY',
  'ADMINISTRATIVE_AND_BILLING',
];

const getRecordId = async (browser: PersonBrowser): Promise<string> =>
  (await browser.listConsents())[0]?.consentRecordId ?? '';

async function getRecord({ browser }: Story): Promise<ConsentRecord> {
  const token = await getOrganizationToken(fixtures.service);
  const { status, body } = await call(fixtures.service, `/v1/consents/${await getRecordId(browser)}`, {
    token,
  });
  assert.equal(status, 200);
  return body as ConsentRecord;
}

/** The organization holds just what was chosen, with the screens it was chosen on. */
async function assertRecorded(story: Story): Promise<void> {
  const { service } = fixtures;
  const record = await getRecord(story);
  const shared = ResourceScope.options.filter((name) => !LEFT_OUT.includes(name));
  assert.deepEqual(
    {
      patientId: record.patientId,
      status: record.consentStatus,
      categories: record.consentDataResourceScopes,
      classes: record.consentDataSensitivityScopes,
      lasts: Math.round((Date.parse(record.expirationTimestamp) - Date.parse(record.timestamp)) / DAY_MS),
      language: record.language,
      shown: record.studySnapshotId,
    },
    {
      patientId: story.patientId,
      status: 'OPTED_IN',
      categories: shared,
      classes: ['NORMAL', 'HIV_OR_STI'],
      lasts: 30,
      language: story.language,
      shown: story.sent[0]?.studySnapshotId,
    },
  );
  assert.match(record.uiHash, /^[0-9a-f]{64}$/);
  assert.match(record.studySnapshotId, /^[0-9a-f-]{36}$/);
  const token = await getOrganizationToken(service);
  const url = `/v1/patients/consents?patientId=${record.patientId}`;
  const { results } = (await call(service, url, { token })).body as { results: Kept[] };
  const screenshots = results.find(({ consentRecord }) => consentRecord.id === record.id)?.screenshots ?? [];
  assert.ok(screenshots.length >= 2);
  for (const { data, contentType } of screenshots) {
    assert.equal(contentType, 'image/png');
    assert.deepEqual(Buffer.from(data, 'base64').subarray(0, PNG_SIGNATURE.length), PNG_SIGNATURE);
  }
}

interface Kept {
  consentRecord: ConsentRecord;
  screenshots: { data: string; contentType: string }[];
}

/** Labs are taken out; of the two that were readable, the next call returns neither. */
async function narrowConsent({ tab, words, language, reads }: Story): Promise<void> {
  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
  await waitForScreen(tab, 'my-data');
  const card = await tab.locator('.consent').innerText();
  const thirty = new Date(fixtures.service.clock.now().getTime() + 30 * DAY_MS).toISOString().slice(0, 10);
  for (const said of [words.data.categories.ALLERGIES.name, words.data.sensitivities.HIV_OR_STI.name])
    assert.ok(card.includes(said), said);
  assert.ok(card.includes(formatCalendarDay(thirty, language)), card);
  await tab.getByRole('button', { name: words.myData.change }).click();
  await press(tab, words.data.oneByOneIn(words.data.groups.tests));
  await box(tab, words.data.categories.LABS.name).uncheck();
  await press(tab, words.myData.save);
  await tab
    .getByRole('status')
    .getByText(words.myData.consents.change.saved(words.myData.consents.quoted(await readConsentName(tab))))
    .waitFor();
  const shown = await reads('get_labs');
  assert.match(shown, /does not share laboratory results/);
  assert.doesNotMatch(shown, /Glucose|Viral load|Pregnancy/);
}

/** A heading says the project below the consent. */
async function readConsentName(tab: Page): Promise<string> {
  const [kind = '', project = ''] = (await tab.locator('.consent h3').innerText()).split('\n');
  return `${kind.trim()} (${project})`;
}

/** Both decisions have a receipt, and each holds without this service. */
async function assertReceipts({ tab, words, browser }: Story): Promise<void> {
  const { receipts } = words.myData;
  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/receipts`);
  await waitForScreen(tab, 'my-data-receipts');
  const organization = (await browser.listConsents())[0]?.organization.name ?? '';
  const consent = words.myData.consents.names.PATIENT_DIRECTED_DATA_EXCHANGE(organization);
  await assertTexts(tab.locator('.receipt-what'), [
    receipts.kinds.changed(consent),
    receipts.kinds.given(consent),
  ]);
  const keys = await parseKeySet(
    JSON.stringify((await call(fixtures.service, '/.well-known/jwks.json')).body),
  );
  const records: unknown[] = [];
  for (const link of await tab.getByRole('link', { name: receipts.download }).all()) {
    const coming = tab.waitForEvent('download');
    await link.click();
    const jws = fs.readFileSync(await (await coming).path(), 'utf8');
    const { receipt } = await verifyReceipt(jws, keys);
    records.push(JSON.stringify(receipt));
  }
  assert.equal(new Set(records).size, 2);
  assert.ok(String(records[0]).includes(await getRecordId(browser)));
}

async function assertReadsShown({ tab, words }: Story): Promise<void> {
  const { activity } = words.myData;
  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/activity`);
  await waitForScreen(tab, 'my-data-activity');
  const who = 'Test agent';
  for (const said of [
    activity.read(who, activity.things.LABS.many('2')),
    activity.notShared(who, activity.kinds.LABS),
    activity.notShared(who, activity.kinds.ALLERGIES),
    activity.connected(who),
  ])
    await tab.locator('.entry p:first-child').filter({ hasText: said }).first().waitFor();
}

async function withdrawConsent({ tab, words, browser }: Story): Promise<void> {
  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
  await waitForScreen(tab, 'my-data');
  await tab.getByRole('button', { name: words.myData.stop }).click();
  await press(tab, words.myData.yesStop);
  await tab.getByText(words.myData.nothing).waitFor();
  assert.deepEqual(
    (await browser.listConsents()).map(({ status }) => status),
    ['withdrawn'],
  );
}

async function deleteAccount({ tab, words, account }: Story): Promise<void> {
  const { deletion, parts } = words.myData;
  await tab.getByRole('link', { name: parts['delete-account'].title }).click();
  await waitForScreen(tab, 'my-data-delete');
  await fill(tab, { [words.form.password]: account.password });
  await press(tab, deletion.next);
  await press(tab, deletion.yes);
  await waitForScreen(tab, 'farewell');
  await tab.getByRole('heading', { name: words.myData.accountDeleted.title }).waitFor();
  await tab.reload();
  await waitForScreen(tab, 'sign-in');
}

describe('a patient’s story', () => {
  for (const person of PEOPLE)
    it(`is one: chosen, read, narrowed, proven, asked anew, taken back and left, ${person.where}`, async (t) => {
      const story = await begin(t, person);
      const { reads } = story;

      const labs = await reads('get_labs');
      assert.match(labs, /Glucose/);
      assert.match(labs, /Viral load/);
      assert.doesNotMatch(labs, /Pregnancy/);
      const allergies = await reads('get_allergies');
      assert.match(allergies, /does not share allergies/);
      assert.doesNotMatch(allergies, /Peanut/);
      assert.match(await reads('get_immunizations'), /Influenza/);
      await assertRecorded(story);

      await narrowConsent(story);
      await assertReceipts(story);
      await assertReadsShown(story);

      await setProjectContent(fixtures.service, UPDATED_CONTENT);
      const client = await story.connected();
      assert.match(await reads('get_immunizations'), /Influenza/);
      const { studySnapshotId } = await getRecord(story);
      assert.equal(studySnapshotId, story.sent[1]?.studySnapshotId);
      assert.notEqual(studySnapshotId, story.sent[0]?.studySnapshotId);

      await withdrawConsent(story);
      await assert.rejects(client.callTool({ name: 'get_immunizations', arguments: {} }), (error: Error) =>
        /Data Access is revoked!/.test(`${error.message} ${JSON.stringify(error)}`),
      );
      await deleteAccount(story);
    });
});
