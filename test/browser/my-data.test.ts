import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { en, es } from '../harness/words.ts';
import { newAccount, type TestAccount } from '../harness/account.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { obtainCode, exchangeCode, createPkce, registerClient } from '../harness/authorization.ts';
import { getEverything } from '../harness/fhir.ts';
import { getPatientId } from '../harness/my-data.ts';
import {
  DESKTOP,
  NARROW,
  fill,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  screenshot,
  waitUntilIdle,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertCount, assertFocused, assertText } from '../harness/page-assertions.ts';
import { runNode } from '../harness/process.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  getToolText,
  type HttpResponse,
} from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';
import { PROGRAM } from '../harness/program.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

interface Sharing {
  person: TestAccount;
  /** The person, without a screen. */
  me: TestBrowser;
  /** The app reads; returns the answer that it gets. */
  reads: (tool?: string) => Promise<HttpResponse>;
}

/** Somebody new who shares everything with an app that calls itself Claude. */
async function createSharing(): Promise<Sharing> {
  const me = createTestBrowser(fixtures.service);
  const person = await newAccount(fixtures.service, me);
  return { person, me, reads: await connectApp(person, me, 'Claude') };
}

/** Connects an app that calls itself so; returns its calls. */
async function connectApp(person: TestAccount, me: TestBrowser, name: string): Promise<Sharing['reads']> {
  const { service } = fixtures;
  const flow = {
    patient: { ...person, id: '', projectId: '', token: '' },
    browser: me,
    client: await registerClient(service, { client_name: name }),
    pkce: createPkce(),
  };
  const { body } = await exchangeCode(service, flow, await obtainCode(flow));
  const token = body.access_token as string;
  return async (tool = 'get_labs') =>
    call(service, '/mcp', {
      token,
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } },
    });
}

const LAB = {
  resourceType: 'Observation',
  id: 'sodium',
  status: 'final',
  category: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
    },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '2951-2', display: 'Sodium' }], text: 'Sodium' },
  effectiveDateTime: new Date().toISOString().slice(0, 10),
  valueQuantity: { value: 140, unit: 'mmol/L' },
};

async function openPage(t: TestContext, person: TestAccount, part = ''): Promise<Page> {
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
  await browser.signIn(person);
  const tab = await browser.newTab();
  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data${part}`);
  return tab;
}

describe('what one shares', () => {
  it('is stopped in two clicks: the app reads no more, and what is over is still shown', async (t) => {
    const { person, me, reads } = await createSharing();
    assert.equal((await reads()).status, 200);
    const tab = await openPage(t, person);
    await waitForScreen(tab, 'my-data');
    await tab.getByText(en.myData.kinds.all).waitFor();
    await tab.getByRole('button', { name: en.myData.stop }).click();
    // The list is answered late: until it knows, nothing says beside its card that it is over.
    const stopped = tab.getByRole('status').getByText(/^You have stopped “/);
    const early: string[][] = [];
    const answerLate = async (route: Route): Promise<void> => {
      for (let idle = 0; idle < 2; idle++) await waitUntilIdle(tab);
      early.push(await stopped.allInnerTexts());
      await route.continue();
    };
    await tab.route('**/account/consents', answerLate, { times: 1 });
    await press(tab, en.myData.yesStop);
    await stopped.waitFor();
    assert.deepEqual(early, [[]]);
    assert.equal((await reads()).status, 403);
    await assertFocused(tab, en.myData.share);
    await tab.getByText(en.myData.nothing).waitFor();
    await tab.getByText(/^You stopped it on/).waitFor();
    await tab.getByText(/^You stopped this: Clinic/).waitFor();
    assert.equal((await me.get('/account/consents')).body.consents[0].status, 'withdrawn');
    await waitForScreen(tab, 'my-data');
  });

  it('is stopped by the keyboard alone, and the focus never gets lost', async (t) => {
    const { person, reads } = await createSharing();
    const tab = await openPage(t, person);
    await tab.getByRole('button', { name: en.myData.stop }).focus();
    await tab.keyboard.press('Enter');
    await assertFocused(tab, /^Stop “Clinic \d+ and apps you choose read your record \(/);
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    await assertFocused(tab, en.myData.keep);
    await tab.keyboard.press('Enter');
    await assertFocused(tab, /^Stop sharing Clinic/);
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Tab');
    await assertFocused(tab, en.myData.yesStop);
    await tab.keyboard.press('Enter');
    await tab
      .getByRole('status')
      .getByText(/^You have stopped “/)
      .waitFor();
    await assertFocused(tab, en.myData.share);
    assert.equal((await reads()).status, 403);
  });

  it('is narrowed: the next call of the app leaves the category out, and says so', async (t) => {
    const { person, reads } = await createSharing();
    assert.doesNotMatch(getToolText(await reads()), /not shared|withheld/i);
    const tab = await openPage(t, person);
    await tab.getByRole('button', { name: en.myData.change }).click();
    await assertFocused(tab, /^Change “Clinic \d+ and apps you choose/);
    await press(tab, en.myData.save);
    await tab.getByRole('alert').getByText(en.myData.nothingRemoved).waitFor();
    await press(tab, en.data.oneByOneIn(en.data.groups.tests));
    await tab.getByRole('checkbox', { name: en.data.categories.LABS.name, exact: true }).uncheck();
    await waitForScreen(tab, 'my-data');
    await press(tab, en.myData.save);
    await tab
      .getByRole('status')
      .getByText(/^Saved\./)
      .waitFor();
    await tab.getByText(en.myData.kinds.but(en.data.categories.LABS.name)).waitFor();
    assert.match(getToolText(await reads()), /not share/i);

    await tab.getByRole('button', { name: en.myData.change }).click();
    await press(tab, en.data.oneByOneIn(en.data.groups.tests));
    const labs = tab.getByRole('checkbox', { name: en.data.categories.LABS.name, exact: true });
    // More can not be shared here.
    await assertAbsent(labs);
  });

  it('goes on without one app: it is disconnected by the keyboard, the other one and the organization read on', async (t) => {
    const { person, me, reads } = await createSharing();
    const other = await connectApp(person, me, 'Pill helper');
    const tab = await openPage(t, person);
    const { disconnectTitle, yesDisconnect, keepConnected, disconnect } = en.myData;
    const button = tab.getByRole('button', { name: `${disconnect} Claude` });
    await button.focus();
    await tab.keyboard.press('Enter');
    await waitForScreen(tab, 'my-data');
    await assertFocused(tab, new RegExp(`^${RegExp.escape(disconnectTitle('Claude'))}`));
    const [consent] = (await me.get('/account/consents')).body.consents;
    const organization = consent.organization.name as string;
    await tab.getByText(en.myData.disconnectOrganization(organization)).waitFor();
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Tab');
    await assertFocused(tab, keepConnected);
    await tab.keyboard.press('Enter');
    await assertFocused(tab, `${disconnect} Claude`);
    assert.equal((await reads()).status, 200);
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Tab');
    await assertFocused(tab, yesDisconnect);
    await tab.keyboard.press('Enter');
    await tab.getByRole('status').getByText(en.myData.appDisconnected('Claude')).waitFor();
    await tab.getByRole('status').getByText(en.myData.organizationReads(organization)).waitFor();
    await assertFocused(tab, en.myData.share);
    assert.equal((await reads()).status, 401);
    assert.equal((await other()).status, 200);
    await tab.getByText(en.myData.disconnected, { exact: true }).waitFor();
    await button.waitFor({ state: 'detached' });
    await tab.getByRole('button', { name: `${disconnect} Pill helper` }).waitFor();
    await tab.getByText(en.myData.activity.disconnected('Claude')).waitFor();
    await waitForScreen(tab, 'my-data');
  });

  it('that another tab has ended meanwhile is shown as it is, and nothing is shared anew', async (t) => {
    const { person, me } = await createSharing();
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    await tab.getByRole('button', { name: en.myData.change }).click();
    const [consent] = (await me.get('/account/consents')).body.consents;
    await me.post('/account/consents/withdraw', { projectId: consent.project.id });
    await tab.getByRole('checkbox').first().uncheck();
    browser.expectRefusals('409 POST /account/consents/narrow');
    await press(tab, en.myData.save);
    await tab.getByText(en.myData.changedMeanwhile).waitFor();
    await tab.getByText(en.myData.nothing).waitFor();
  });

  it('that another tab has stopped meanwhile: the app is disconnected, and the organization reads no more', async (t) => {
    const { person, me } = await createSharing();
    const tab = await openPage(t, person);
    await tab.getByRole('button', { name: `${en.myData.disconnect} Claude` }).click();
    const [consent] = (await me.get('/account/consents')).body.consents;
    await me.post('/account/consents/withdraw', { projectId: consent.project.id });
    await press(tab, en.myData.yesDisconnect);
    const { organization } = en.myData.consents.stopped;
    await tab.getByRole('status').getByText(organization(consent.organization.name)).waitFor();
    await tab.getByText(en.myData.nothing).waitFor();
    await assertAbsent(tab.getByText(en.myData.organizationReads(consent.organization.name)));
  });
});

describe('who read what', () => {
  it('is shown in words, in both languages, from the first read on', async (t) => {
    const { person, me, reads } = await createSharing();
    await reads('update_and_check_recent_records');
    await reads('get_labs');
    const tab = await openPage(t, person);
    await tab.getByText('Claude looked for lab results and read none').waitFor();
    await tab.getByRole('link', { name: en.myData.activity.all }).click();
    await waitForScreen(tab, 'my-data-activity');
    await assertFocused(tab, en.myData.activity.title);
    await tab.getByText('Claude checked whether your record is up to date').waitFor();
    await tab.getByText(/^You said yes: Clinic/).waitFor();
    await press(tab, en.common.otherLanguage);
    await tab.getByText('Claude buscó resultados de laboratorio y no leyó nada').waitFor();
    await tab.getByText('Claude comprobó si su historial está al día').waitFor();
    await waitForScreen(tab, 'my-data-activity');
    await press(tab, es.common.otherLanguage);

    const [{ project }] = (await me.get('/account/consents')).body.consents;
    await me.post('/account/consents/withdraw', { projectId: project.id });
    await reads('get_labs');
    await tab.reload();
    await tab.getByText(/^You stopped this: Clinic/).waitFor();
  });

  it('names an organization that reads the record itself, how much of it and of what', async (t) => {
    const { person, me } = await createSharing();
    const partner = { id: getPatientId(me), token: await getOrganizationToken(fixtures.service) };
    for (const query of ['', '_type=Condition', '_type=Patient,Person'])
      assert.equal((await getEverything(fixtures.service, partner, query)).status, 200);
    const [{ project }] = (await me.get('/account/consents')).body.consents;
    await me.post('/account/consents/withdraw', { projectId: project.id });
    assert.equal((await getEverything(fixtures.service, partner)).status, 403);
    const tab = await openPage(t, person, '/activity');
    await tab.getByText(/^Clinic \d+ read all that it may see of your record, 1 entry$/).waitFor();
    await tab.getByText(/^Clinic \d+ looked for health problems and read none$/).waitFor();
    await tab.getByText(/^Clinic \d+ read 1 personal detail$/).waitFor();
    await tab.getByText(/^Clinic \d+ tried to read your record and was not let in$/).waitFor();
    await press(tab, en.common.otherLanguage);
    await tab.getByText(/^Clinic \d+ leyó todo lo que puede ver de su historial, 1 entrada$/).waitFor();
  });

  it('goes back page by page, and can be kept with its proof', async (t) => {
    const { person, reads } = await createSharing();
    for (let call = 0; call < 55; call++) await reads('get_allergies');
    const tab = await openPage(t, person, '/activity');
    const lines = tab.locator('.entry:not(.entry-account)');
    await assertCount(lines, 50);
    await tab.locator('.entry-account').first().waitFor();
    await press(tab, en.myData.activity.older);
    await tab.getByText(en.myData.activity.end).waitFor();
    await lines.nth(55).waitFor();

    const coming = tab.waitForEvent('download');
    await tab.getByRole('link', { name: en.myData.activity.downloadProof }).click();
    const text = fs.readFileSync(await (await coming).path(), 'utf8');
    assert.ok(text.trim().split('\n').length > 55);
  });
});

describe('a receipt', () => {
  it('is downloaded, and checked without this service', async (t) => {
    const { person } = await createSharing();
    const tab = await openPage(t, person, '/receipts');
    await tab.getByText(/^You said yes: Clinic/).waitFor();
    await waitForScreen(tab, 'my-data-receipts');
    const coming = tab.waitForEvent('download');
    await tab.getByRole('link', { name: en.myData.receipts.download }).click();
    const download = await coming;
    assert.match(download.suggestedFilename(), /receipt-.+\.jws$/);

    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-receipt-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const keys = path.join(folder, 'keys.json');
    fs.writeFileSync(keys, JSON.stringify((await call(fixtures.service, '/.well-known/jwks.json')).body));
    const file = path.join(folder, 'receipt.jws');
    await download.saveAs(file);
    const verified = await runNode(PROGRAM, ['receipt', 'verify', file, '--keys', keys, '--json']);
    assert.deepEqual([verified.code, verified.stderr], [0, '']);
    assert.equal(JSON.parse(verified.stdout).valid, true);
  });
});

describe('the receipt of another account', () => {
  it('is said to be none of this one, and nothing of an app', async (t) => {
    const { me } = await createSharing();
    const [{ consentRecordId }] = (await me.get('/account/receipts')).body.receipts;
    const { person } = await createSharing();
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    browser.expectRefusals(`404 GET /account/receipts/${consentRecordId}`);
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/receipts/${consentRecordId}`);
    await tab.getByRole('alert').getByText(en.myData.receipts.page.notFound).waitFor();
    await assertAbsent(tab.getByRole('button', { name: en.common.tryAgain }));
  });
});

describe('documents', () => {
  it('are chosen, sent and read while one looks on, and the app sees what was in them', async (t) => {
    const { person, reads } = await createSharing();
    const tab = await openPage(t, person, '/documents');
    await waitForScreen(tab, 'my-data-documents');
    await tab.getByText(en.myData.documents.none).waitFor();
    await tab.locator('input[type=file]').setInputFiles([
      {
        name: 'labs.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(createBundle(LAB))),
      },
      { name: 'holiday.xyz', mimeType: '', buffer: Buffer.from([1, 2, 3, 255]) },
    ]);
    await tab.getByText('2 files,').waitFor();
    await waitForScreen(tab, 'my-data-documents');
    await tab.getByRole('button', { name: en.myData.documents.send }).focus();
    await tab.keyboard.press('Enter');
    await tab.getByRole('status').getByText(en.myData.documents.sentRead).waitFor();
    await assertFocused(tab, en.myData.documents.added);
    await tab.getByText(en.myData.documents.statuses.completed_with_errors).waitFor();
    await tab.getByText(en.myData.documents.created.one).waitFor();
    await tab.getByText(en.myData.documents.problems.one).click();
    await tab.getByRole('group').getByText('holiday.xyz').waitFor();
    await tab.getByText(en.myData.documents.reasons.unsupported_kind).waitFor();
    await waitForScreen(tab, 'my-data-documents');
    assert.match(getToolText(await reads()), /Sodium/);
    await tab.locator('bdi').getByText('labs.json, holiday.xyz').waitFor();
    await press(tab, `${en.myData.documents.remove.label} labs.json, holiday.xyz`);
    await waitForScreen(tab, 'my-data-documents');
    await press(tab, en.myData.documents.remove.yes);
    await tab.getByText(en.myData.documents.none).waitFor();
    await tab.getByRole('status').getByText(en.myData.documents.remove.done).waitFor();
    await assertFocused(tab, en.myData.documents.added);
    for (const text of [en.myData.documents.sent, en.myData.documents.sentRead])
      await assertAbsent(tab.getByText(text));
    assert.doesNotMatch(getToolText(await reads()), /Sodium/);
  });

  it('of which nothing could be read are said not to be, kept as they came, and an empty archive is named', async (t) => {
    const { person } = await createSharing();
    const tab = await openPage(t, person, '/documents');
    const {
      statuses,
      nothingRead,
      created,
      emptyArchive,
      remove,
      sentFailed,
      sentEmpty,
      reasons,
      send,
      problems,
      download,
    } = en.myData.documents;
    const broken = Buffer.from('{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resou');
    await tab.locator('input[type=file]').setInputFiles([
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]) },
      { name: 'broken.json', mimeType: 'application/json', buffer: broken },
      { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) },
    ]);
    await press(tab, send);
    await tab.getByRole('status').getByText(sentFailed).waitFor();
    await tab.getByText(statuses.failed, { exact: true }).waitFor();
    await tab.getByText(nothingRead).waitFor();
    await assertAbsent(
      tab.getByText(en.myData.documents.noEntries),
      tab.getByText(statuses.completed_with_errors),
    );
    await tab.getByText(problems.many('3')).click();
    for (const code of ['unsupported_kind', 'not_json', 'empty'] as const)
      await tab.getByText(reasons[code]).waitFor();
    const coming = tab.waitForEvent('download');
    await tab.getByRole('link', { name: `${download} broken.json` }).click();
    assert.deepEqual(fs.readFileSync(await (await coming).path()), broken);
    await tab.getByRole('link', { name: `${download} photo.jpg` }).waitFor();

    const empty = Buffer.from(await createArchive({}));
    await tab
      .locator('input[type=file]')
      .setInputFiles({ name: 'holiday.zip', mimeType: 'application/zip', buffer: empty });
    await press(tab, send);
    await tab.getByRole('status').getByText(sentEmpty).waitFor();
    await tab.getByText(emptyArchive, { exact: true }).waitFor();
    await tab.getByRole('button', { name: `${remove.label} holiday.zip` }).waitFor();
    await assertAbsent(tab.getByText(created.one));
  });

  it('that were taken out elsewhere meanwhile are said to be, and the list is as it is now', async (t) => {
    const { person, me } = await createSharing();
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/documents`);
    const { remove, question, none, send, statuses } = en.myData.documents;
    const maria = { resourceType: 'Patient', id: 'maria', name: [{ given: ['Maria'], family: 'Lopez' }] };
    for (const [bundle, status, buttons, path] of [
      [createBundle(LAB), statuses.completed, [`${remove.label} chart.json`, remove.yes], 'remove'],
      [
        createBundle({ ...maria, birthDate: '1956-03-02' }, LAB),
        statuses.needs_confirmation,
        [`${question.yes} chart.json`],
        'confirm',
      ],
    ] as const) {
      await tab.getByText(none).waitFor();
      const buffer = Buffer.from(JSON.stringify(bundle));
      await tab
        .locator('input[type=file]')
        .setInputFiles({ name: 'chart.json', mimeType: 'application/json', buffer });
      await press(tab, send);
      await tab.getByText(status, { exact: true }).waitFor();
      const [{ batchId }] = (await me.get('/account/uploads')).body.results;
      assert.equal((await me.post('/account/uploads/remove', { batchId })).status, 204);
      browser.expectRefusals(`404 POST /account/uploads/${path}`);
      for (const button of buttons) await press(tab, button);
      await tab.getByRole('status').getByText(remove.gone).waitFor();
      await tab.getByText(none).waitFor();
    }
  });

  it('are asked about where they name somebody else, and no app sees them until that is answered', async (t) => {
    const { person, reads } = await createSharing();
    const tab = await openPage(t, person, '/documents');
    const { question, statuses, send, sentAsked, none } = en.myData.documents;
    const maria = {
      resourceType: 'Patient',
      id: 'maria',
      name: [{ given: ['Maria'], family: 'Lopez' }],
      birthDate: '1956-03-02',
    };
    const add = async (): Promise<void> => {
      await tab.locator('input[type=file]').setInputFiles({
        name: 'chart.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(createBundle(maria, LAB))),
      });
      await press(tab, send);
      await tab.getByText(statuses.needs_confirmation).waitFor();
    };
    await add();
    await tab.getByRole('status').getByText(sentAsked).waitFor();
    await assertFocused(tab, en.myData.documents.added);
    await tab.getByText(/^This is about .?Maria Lopez.?, born March 2, 1956\.$/).waitFor();
    await tab.getByText(/^Your account: .?Jo Larsen.?\.$/).waitFor();
    assert.match(getToolText(await reads()), /1 upload waits for the patient/);
    await press(tab, `${question.no} chart.json`);
    await tab.getByText(none).waitFor();
    await assertFocused(tab, en.myData.documents.added);
    await add();
    assert.doesNotMatch(getToolText(await reads()), /Sodium/);
    await tab.goto(tab.url().replace('/documents', ''));
    await tab.getByText(question.waiting.one).waitFor();
    await tab.getByRole('link', { name: question.look }).click();
    await press(tab, `${question.yes} chart.json`);
    await tab.getByRole('status').getByText(question.confirmed).waitFor();
    await assertFocused(tab, en.myData.documents.added);
    await tab.getByText(statuses.completed, { exact: true }).waitFor();
    assert.match(getToolText(await reads()), /Sodium/);
  });

  it('are kept as they came, readable or not, and each is to be had back', async (t) => {
    const { person } = await createSharing();
    const tab = await openPage(t, person, '/documents');
    const letter = Buffer.from('{\\rtf1\\ansi Dear Ana, all is well.}');
    const picture = Buffer.from('89504e470d0a1a0a0000000049454e44ae426082', 'hex');
    await tab.locator('input[type=file]').setInputFiles([
      { name: 'letter.rtf', mimeType: 'application/rtf', buffer: letter },
      { name: 'Foto de ayer.png', mimeType: 'image/png', buffer: picture },
      {
        name: 'labs.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(createBundle(LAB))),
      },
    ]);
    await press(tab, en.myData.documents.send);
    await tab.getByText(en.myData.documents.created.many('2')).waitFor();
    const kept = tab.locator('.kept').getByRole('link');
    await assertCount(kept, 2, 'FHIR JSON is the record itself');
    const kinds = en.myData.documents.fileKinds;
    for (const [name, kind, bytes] of [
      ['letter.rtf', kinds.rtf, letter],
      ['Foto de ayer.png', kinds.picture, picture],
    ] as const) {
      const link = kept.filter({ hasText: name });
      await assertText(link, new RegExp(`${kind.replace(/[()]/g, '\\$&')} · 1\\skB\\nAdded by you on `));
      const coming = tab.waitForEvent('download');
      await link.focus();
      await tab.keyboard.press('Enter');
      const download = await coming;
      assert.equal(download.suggestedFilename(), name);
      assert.deepEqual(fs.readFileSync(await download.path()), bytes);
    }
    await waitForScreen(tab, 'my-data-documents');
  });

  it('are read in the record, searched, and counted where one chooses what to share', async (t) => {
    const { person } = await createSharing();
    const tab = await openPage(t, person, '/record');
    await tab.getByText(en.data.emptyRecord.text).waitFor();
    await tab.getByRole('link', { name: en.data.emptyRecord.add }).click();
    await waitForScreen(tab, 'my-data-documents');
    const letter = Buffer.from('{\\rtf1\\ansi Dear Ana, your asthma is well.}');
    await tab.locator('input[type=file]').setInputFiles([
      { name: 'letter.rtf', mimeType: 'application/rtf', buffer: letter },
      {
        name: 'labs.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(createBundle(LAB))),
      },
    ]);
    await press(tab, en.myData.documents.send);
    await tab.getByText(en.myData.documents.created.many('2')).waitFor();

    await tab.goto(tab.url().replace('/documents', '/record'));
    await waitForScreen(tab, 'my-data-record');
    await tab.getByRole('button', { name: en.data.categories.LABS.name }).focus();
    await tab.keyboard.press('Enter');
    await tab.getByText('Sodium', { exact: true }).waitFor();
    await tab.getByRole('searchbox').fill('ashtma');
    await tab.keyboard.press('Enter');
    await tab.getByText(en.myData.record.search.found.one).waitFor();
    await tab.getByText(en.myData.record.more).click();
    await tab.getByText('Dear Ana, your asthma is well.').last().waitFor();
    const coming = tab.waitForEvent('download');
    await tab.getByRole('link', { name: en.myData.record.original }).click();
    assert.deepEqual(fs.readFileSync(await (await coming).path()), letter);
    await press(tab, en.myData.record.search.back);
    await tab.getByRole('button', { name: en.data.categories.LABS.name }).waitFor();
    await waitForScreen(tab, 'my-data-record');

    await tab.goto(tab.url().replace('/record', ''));
    await tab.getByRole('button', { name: en.myData.change }).click();
    await press(tab, en.data.oneByOneIn(en.data.groups.problems));
    const findChoice = (name: string) =>
      tab.locator('.choice').filter({ has: tab.getByText(name, { exact: true }) });
    await tab.getByText(en.data.noneHere).first().waitFor();
    await assertText(findChoice(en.data.groups.tests), /·\s1$/m);
    await assertText(findChoice(en.data.categories.ALLERGIES.name), new RegExp(en.data.noneHere));
  });

  it('that are one archive go as they are; a damaged one is refused in words', async (t) => {
    const { person } = await createSharing();
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', viewport: DESKTOP });
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/documents`);
    const choose = async (buffer: Buffer) =>
      tab
        .locator('input[type=file]')
        .setInputFiles([{ name: 'record.zip', mimeType: 'application/zip', buffer }]);
    await choose(Buffer.from('not a zip'));
    await press(tab, en.myData.documents.cancel);
    await assertFocused(tab, en.myData.documents.choose);
    await choose(Buffer.from('not a zip'));
    browser.expectRefusals('422 POST /account/uploads');
    await press(tab, en.myData.documents.send);
    await tab.getByRole('alert').getByText(en.myData.documents.damaged).waitFor();
    await choose(await createArchive({ 'labs.json': createBundle(LAB) }));
    await press(tab, en.myData.documents.send);
    await tab.getByText(en.myData.documents.statuses.completed, { exact: true }).waitFor();
    await tab.getByText(en.myData.documents.created.one).waitFor();
    await tab.locator('bdi').getByText('record.zip', { exact: true }).waitFor();
  });

  it('of more than 100 MiB are not sent at all', async (t) => {
    const { person } = await createSharing();
    const tab = await openPage(t, person, '/documents');
    await tab.locator('input[type=file]').waitFor({ state: 'attached' });
    await tab.evaluate(`{
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(100 * 1024 * 1024 + 1)], 'large.pdf'));
      const input = document.querySelector('input[type=file]');
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }`);
    await tab.getByRole('alert').getByText(en.myData.documents.tooLarge).waitFor();
    await assertAbsent(tab.getByRole('button', { name: en.myData.documents.send }));
  });
});

describe('everything that is kept', () => {
  it('comes as one file', async (t) => {
    const { person } = await createSharing();
    const tab = await openPage(t, person);
    await tab.getByRole('link', { name: en.myData.parts.download.title }).click();
    await waitForScreen(tab, 'my-data-download');
    const coming = tab.waitForEvent('download');
    await tab.getByRole('link', { name: en.myData.download.button }).click();
    const bytes = fs.readFileSync(await (await coming).path());
    assert.equal(bytes.toString('latin1', 0, 4), 'PK\x03\x04');
  });
});

describe('deleting one’s account', () => {
  const signIn = async ({ email, password }: TestAccount): Promise<number> =>
    (await createTestBrowser(fixtures.service).post('/account/sign-in', { email, password })).status;

  it('asks for the password and once more; then nobody can sign in, and no app reads', async (t) => {
    const { person, reads } = await createSharing();
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/delete-account`);
    await waitForScreen(tab, 'my-data-delete');
    const { deletion } = en.myData;
    await press(tab, deletion.next);
    await tab.getByRole('alert').getByText(en.form.passwordMissing).waitFor();

    await fill(tab, { [en.form.password]: 'not the password' });
    await press(tab, deletion.next);
    await waitForScreen(tab, 'my-data-delete');
    browser.expectRefusals('401 POST /account/delete');
    await press(tab, deletion.yes);
    await tab.getByRole('alert').getByText(deletion.wrongPassword).waitFor();
    assert.equal((await reads()).status, 200);

    await fill(tab, { [en.form.password]: person.password });
    await press(tab, deletion.next);
    await press(tab, deletion.no);
    await fill(tab, { [en.form.password]: person.password });
    await press(tab, deletion.next);
    await press(tab, deletion.yes);
    await waitForScreen(tab, 'farewell');
    await assertFocused(tab, en.myData.accountDeleted.title);
    assert.notEqual((await reads()).status, 200);
    assert.equal(await signIn(person), 401);
    await tab.reload();
    await waitForScreen(tab, 'sign-in');
  });

  const loseAnswer = async (t: TestContext, password: string, isSent: boolean) => {
    const { person } = await createSharing();
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/delete-account`);
    const { deletion } = en.myData;
    await fill(tab, { [en.form.password]: password || person.password });
    await press(tab, deletion.next);
    await tab.route('**/account/delete', async (route) => {
      if (isSent) await route.fetch();
      await route.fulfill({ status: 503, json: {} });
    });
    browser.expectRefusals('503 POST /account/delete');
    await press(tab, deletion.yes);
    await tab.getByRole('alert').waitFor();
    await tab.unroute('**/account/delete');
    return { browser, tab, person };
  };

  it('is not said to be done where the first answer was lost: a mail says it', async (t) => {
    const { browser, tab, person } = await loseAnswer(t, '', true);
    const { deletion } = en.myData;
    browser.expectRefusals('401 POST /account/sign-in');
    await press(tab, deletion.yes);
    await tab.getByRole('alert').getByText(deletion.unknown.mail(person.email)).waitFor();
    assert.equal(await signIn(person), 401, 'the account is gone');
    await press(tab, deletion.unknown.signIn);
    await waitForScreen(tab, 'sign-in');
  });

  it('is not said to be done where the password was wrong, and nobody is signed in any more', async (t) => {
    const { browser, tab, person } = await loseAnswer(t, 'not the password', false);
    const { deletion } = en.myData;
    await browser.context.clearCookies({ name: 'chartgate-session' });
    browser.expectRefusals('401 POST /account/sign-in');
    await press(tab, deletion.yes);
    await tab.getByRole('alert').getByText(deletion.unknown.title).waitFor();
    await tab.setViewportSize(NARROW);
    await screenshot(tab, 'my-data-delete-unknown');
    await tab.emulateMedia({ colorScheme: 'dark' });
    await screenshot(tab, 'my-data-delete-unknown-dark');
    assert.equal(await signIn(person), 200, 'the account is there');
  });

  it('goes on after a lost answer, signed out meanwhile, with the right password', async (t) => {
    const { browser, tab, person } = await loseAnswer(t, '', false);
    await browser.context.clearCookies({ name: 'chartgate-session' });
    await press(tab, en.myData.deletion.yes);
    await waitForScreen(tab, 'farewell');
    assert.equal(await signIn(person), 401, 'the account is gone');
  });

  it('is not for test patients, who see whose it is', async (t) => {
    const patient = await newTestPatient(fixtures.service);
    const tab = await openPage(t, { ...patient, firstName: '', lastName: '' }, '/delete-account');
    await tab.getByText(en.myData.deletion.testPatient).waitFor();
    await assertAbsent(tab.getByLabel(en.form.password, { exact: true }));
  });
});
