import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import { createPooledClient, type PooledClient } from '../../server/platform/outbound/outbound-client.ts';
import { MAX_CONCURRENT_DELIVERIES } from '../../server/surfaces/webhooks/delivery/delivery-dispatcher.ts';
import { newPerson } from '../harness/account.ts';
import { runCommand } from '../harness/cli.ts';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import { getTotpCode } from '../harness/member.ts';
import {
  DESKTOP,
  fill,
  newBrowser,
  openBrowserFixtures,
  openReview,
  press,
  waitForAgent,
  waitForScreen,
  waitUntilVisible,
  type BrowserFixtures,
  type PersonBrowser,
} from '../harness/page.ts';
import { assertAbsent, assertCount } from '../harness/page-assertions.ts';
import { buildProcessEnvironment } from '../harness/process.ts';
import { call } from '../harness/service.ts';
import { consoleEn, en } from '../harness/words.ts';
import { ownInvitation } from '../../web/console/src/patients/words/en/own-invitation.ts';
import { PROGRAM } from '../harness/program.ts';

/** What `chartgate listen` says of a delivery. */
interface Heard {
  verified: boolean;
  type: string | null;
  message: string | null;
}

/** `chartgate listen` on the developer's machine, its secret pasted as a person does. */
interface Listener {
  url: string;
  caFile: string;
  paste(secret: string): void;
  waitFor(type: string): Promise<Heard>;
  stop(): void;
}

let folder: string;
let listener: Listener;
let outbound: PooledClient;
let fixtures: BrowserFixtures;
before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-first-day-'));
  listener = await startListener(folder);
  // Trusts the listener, as the service does that is started by the line it prints.
  outbound = createPooledClient({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    permits: (address) => address === '127.0.0.1',
    maxConnections: MAX_CONCURRENT_DELIVERIES,
    ca: fs.readFileSync(listener.caFile, 'utf8'),
  });
  const environment = { CHARTGATE_WEBHOOK_ALLOW_PRIVATE: '1' };
  fixtures = await openBrowserFixtures({ webhookOutbound: outbound, environment });
});
after(async () => {
  await fixtures.stop();
  await outbound.close();
  listener.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function startListener(dataDirectory: string): Promise<Listener> {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    [PROGRAM, 'listen', '--port', '0', '--json'],
    { env: { ...buildProcessEnvironment(), CHARTGATE_DATA_DIR: dataDirectory } },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  let introduction = '';
  const { promise: isReady, resolve, reject } = Promise.withResolvers<void>();
  child.stderr.on('data', (bytes: Buffer) => {
    introduction += String(bytes);
    if (/npm start\n[^]*\n\n/.test(introduction)) resolve();
  });
  child.once('exit', () => reject(new Error(introduction)));
  const heard: Heard[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => heard.push(JSON.parse(line) as Heard));
  await isReady;
  return {
    url: /https:\/\/localhost:\d+\//.exec(introduction)?.[0] ?? '',
    caFile: /NODE_EXTRA_CA_CERTS=(\S+)/.exec(introduction)?.[1] ?? '',
    paste: (secret) => void child.stdin.write(`${secret}\n`),
    async waitFor(type) {
      const until = Date.now() + TIMEOUT_MS;
      for (;;) {
        const found = heard.find((one) => one.type === type);
        if (found) return found;
        assert.ok(Date.now() < until, `no ${type} among: ${heard.map((one) => one.type).join(', ')}`);
        await sleep(20);
      }
    },
    stop: () => void child.kill('SIGTERM'),
  };
}

/** Ends what hangs. */
const TIMEOUT_MS = 60_000;
const PASSWORD = 'four lorries on a green hill';
const PEOPLE = 200;

interface Row {
  email: string;
  firstName: string;
  lastName: string;
  id: string;
  phone: string;
  born: string;
}

/** The list of the clinic, by line: whom it holds, and which cells of 20 people are wrong, with what is right. */
function buildList(first: string): { csv: string; faults: { line: number; field: Field; right: string }[] } {
  const faults: { line: number; field: Field; right: string }[] = [];
  const lines = Array.from({ length: PEOPLE }, (_person, index) => {
    const line = index + 2;
    const row: Row = {
      email: index === 0 ? first : `person${index}@list.example`,
      firstName: `Given ${index}`,
      lastName: `Family ${index}`,
      id: `MRN-${index}`,
      phone: `+1 555 ${String(1000 + index)}`,
      born: `19${30 + (index % 60)}-0${1 + (index % 9)}-1${index % 10}`,
    };
    // Every tenth person, and a different fault each time.
    if (index % 10 === 5) {
      const [field, wrong] = FAULTS[((index - 5) / 10) % FAULTS.length] as (typeof FAULTS)[number];
      // Days of another order are not corrected one by one.
      if (field !== 'born') faults.push({ line, field, right: row[field] });
      row[field] = wrong;
    }
    return Object.values(row).join(';');
  });
  const header = 'E-Mail;First name;Last name;MRN;Phone;Date of birth';
  return { csv: [header, ...lines].join('\r\n'), faults };
}

type Field = 'email' | 'firstName' | 'phone' | 'born';
const FAULTS = [
  ['email', 'person at list.example'],
  ['firstName', ''],
  ['phone', 'call me'],
  ['born', '31/12/1980'],
] as const satisfies readonly [Field, string][];

const screen = (tab: Page, name: string): Promise<void> =>
  waitUntilVisible(tab.locator(`[data-screen="${name}"]`));

const dialog = (tab: Page) => tab.getByRole('dialog');

/** By the menu, as somebody does who does not know the keys. The page before stays until the next one can be drawn. */
async function goTo(tab: Page, name: 'apiKeys' | 'apps' | 'audit' | 'consents' | 'patients' | 'webhooks') {
  const page = consoleEn.pages[name];
  await tab
    .getByRole('navigation', { name: consoleEn.nav.main })
    .getByRole('link', { name: page, exact: true })
    .click();
  await screen(tab, name === 'apiKeys' ? 'api-keys' : name);
}

/** Presence lasts five minutes; a busy machine may take longer over the day. That it is asked for is shown elsewhere. */
const stayPresent = (): Promise<unknown> =>
  fixtures.service.store.db.query(
    sql`update member_session set confirmed_at = ${fixtures.service.clock.now()}`,
  );

it("a clinic's first day is done in the browser alone, from the login of init to a log that verifies", async (t) => {
  const browser = await newBrowser(t, fixtures, { viewport: DESKTOP, reducedMotion: 'reduce' });
  const tab = await browser.newTab();
  await signInFirst(tab);
  const project = await createProject(tab);
  const person = newPerson();
  await importList(tab, person.email);
  await addWebhook(tab);
  await decideAsPatient(t, person);
  assert.equal((await listener.waitFor('consent.granted')).verified, true);
  await lookAtEvidence(tab, project);
  await rotateKey(tab);
  await blockApp(tab, browser);
  await endEnrollment(tab, person.email, project);
  await verifyLog(tab);
});

async function signInFirst(tab: Page): Promise<void> {
  const { email, password } = fixtures.service.organization.console;
  const { setup } = consoleEn.signIn;
  await tab.goto(`${fixtures.service.baseUrl}/console/`);
  await fill(tab, { [consoleEn.signIn.email]: email, [consoleEn.signIn.password]: password });
  await press(tab, consoleEn.signIn.submit);
  await fill(tab, { [consoleEn.signIn.invitation.name]: 'Ana Ruiz', [setup.newPassword]: PASSWORD });
  await press(tab, setup.savePassword);
  await screen(tab, 'setup-factor');
  const secret = (await tab.locator('.id code').innerText()).replaceAll(' ', '');
  await fill(tab, { [setup.codeMissing]: getTotpCode(fixtures.service, secret) });
  await press(tab, setup.activate);
  await tab.getByLabel(setup.storedCodes).check();
  await press(tab, setup.finish);
  await screen(tab, 'home');
}

/** Answers its name. */
async function createProject(tab: Page): Promise<string> {
  const { projects: words } = consoleEn;
  const name = 'Asthma and air';
  // The list of first steps leads there.
  await tab.getByRole('link', { name: consoleEn.home.firstSteps.steps.words_written }).click();
  await press(tab, words.create);
  await fill(tab, { [words.name]: name });
  await dialog(tab).getByRole('button', { name: words.create }).click();
  await screen(tab, 'project');
  const inLanguage = (text: string, language: 'en' | 'es') =>
    words.inLanguage(text, words.languages[language]);
  await fill(tab, {
    [inLanguage(words.texts.title, 'en')]: 'Asthma and air',
    [inLanguage(words.texts.purpose, 'en')]: 'We compare how people breathe with the air they live in.',
    [inLanguage(words.texts.title, 'es')]: 'El asma y el aire',
    [inLanguage(words.texts.purpose, 'es')]: 'Comparamos cómo respiran las personas con el aire donde viven.',
  });
  await tab.getByLabel(words.types.DATA_AUTHORIZATION).check();
  await tab.frameLocator('iframe').getByText('We compare how people breathe').waitFor();
  await press(tab, words.review);
  await dialog(tab).getByRole('button', { name: words.publish }).click();
  await tab.getByText(words.published(1)).waitFor();
  return name;
}

async function importList(tab: Page, first: string): Promise<void> {
  const { importer: words } = consoleEn.patients;
  const { csv, faults } = buildList(first);
  assert.equal(faults.length, 15);
  await goTo(tab, 'patients');
  await tab.getByRole('link', { name: consoleEn.patients.import, exact: true }).first().click();
  await tab.getByLabel(words.project).selectOption('Asthma and air');
  await tab
    .getByLabel(words.choose)
    .setInputFiles({ name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') });
  // What is mended while the service is still asked who takes part already must stay.
  const { promise: isMended, resolve: release } = Promise.withResolvers<void>();
  await tab.route(
    '**/patients?dryRun=true',
    async (route) => {
      await isMended;
      await route.continue();
    },
    { times: 1 },
  );
  await press(tab, words.check);
  const faulty = tab.getByRole('button', { name: new RegExp(`^${words.tabs.faulty}`) });
  await tab.getByRole('button', { name: `${words.tabs.faulty} 20` }).waitFor();
  await tab.getByRole('button', { name: words.start('180') }).waitFor();
  // Each fault stands at its cell; the days are written anew together.
  await assertCount(tab.locator('.import-cell[aria-invalid=true]'), 20);
  await tab.getByRole('button', { name: new RegExp(`^${words.convert.dmy}`) }).click();
  const labels = { email: 'email', firstName: 'firstName', phone: 'phone', born: 'dateOfBirth' } as const;
  for (const { line, field, right } of faults) {
    await tab.getByLabel(words.cell(words.fields[labels[field]], String(line)), { exact: true }).fill(right);
    await tab.keyboard.press('Enter');
  }
  await faulty.getByText('0', { exact: true }).waitFor();
  release();
  await tab.getByRole('progressbar').waitFor({ state: 'detached' });
  await tryOwnInvitation(tab);
  await press(tab, words.start('200'));
  await tab.getByText(words.done('200')).waitFor();
}

/** The member sees what everybody gets before anybody gets it. */
async function tryOwnInvitation(tab: Page): Promise<void> {
  const { email } = fixtures.service.organization.console;
  await press(tab, ownInvitation.send(email));
  await tab.getByText(consoleEn.mails.toast(email)).waitFor();
  const { subject, text = '' } = await waitForMail(fixtures.service, email);
  assert.match(`${subject} ${text}`, /invites you to take part/);
}

async function addWebhook(tab: Page): Promise<void> {
  const { webhooks: words } = consoleEn;
  await goTo(tab, 'webhooks');
  await tab.getByRole('link', { name: words.create }).first().click();
  await fill(tab, { [words.form.url]: listener.url });
  await tab.getByLabel('consent.granted', { exact: true }).check();
  await stayPresent();
  await press(tab, words.form.submit);
  const secret = dialog(tab).getByRole('region', { name: words.secret.label, exact: true });
  listener.paste((await secret.innerText()).trim());
  await tab.getByLabel(consoleEn.secret.stored).check();
  await press(tab, consoleEn.secret.done);
  await press(tab, words.setup.test);
  await tab.getByText('It was acknowledged after').waitFor();
  assert.equal((await listener.waitFor('webhook.test')).verified, true);
}

/** On a phone: from the mail to a yes, and an app that is let in. */
async function decideAsPatient(t: TestContext, person: ReturnType<typeof newPerson>): Promise<void> {
  const readLink = (text = ''): string => /^http\S+$/m.exec(text)?.[0] ?? '';
  const { service, agent } = fixtures;
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
  const tab = await browser.newTab();
  await tab.goto(readLink((await waitForMail(service, person.email)).text));
  await waitForScreen(tab, 'invitation');
  await press(tab, en.signUp.title);
  await fill(tab, { [en.form.email]: person.email });
  await press(tab, en.signUp.submit);
  await waitForScreen(tab, 'mail-sent');
  await tab.goto(readLink((await waitForMail(service, person.email, 2)).text));
  await fill(tab, { [en.form.newPassword]: person.password });
  await press(tab, en.link.submitCreate);
  await openReview(tab);
  await tab.getByText('We compare how people breathe').waitFor();
  await press(tab, en.review.allow);
  await waitForScreen(tab, 'next-steps');
  await tab.goto(agent.connectUrl());
  await openReview(tab);
  await press(tab, en.review.allow);
  const { code } = await waitForAgent(tab, agent);
  assert.equal((await agent.exchange(code)).status, 200);
}

async function lookAtEvidence(tab: Page, project: string): Promise<void> {
  const { detail, verification } = consoleEn.consents;
  await goTo(tab, 'consents');
  const row = tab.getByRole('row', { name: new RegExp(project) });
  await row.last().locator('[data-row-link]').click();
  await press(tab, detail.show);
  await tab.getByRole('heading', { name: verification.title }).waitFor();
  await assertCount(tab.locator('.filmstrip-screen img'), 2);
  await assertAbsent(tab.locator('.check-failed'));
  await tab.getByText('We compare how people breathe').first().waitFor();
}

async function rotateKey(tab: Page): Promise<void> {
  const { apiKeys: words, secret } = consoleEn;
  const takeSecret = async (): Promise<string> => {
    const shown = await dialog(tab).getByRole('region', { name: words.secret, exact: true }).innerText();
    await tab.getByLabel(secret.stored).check();
    await press(tab, secret.done);
    return shown;
  };
  await goTo(tab, 'apiKeys');
  await stayPresent();
  await press(tab, words.create);
  await fill(tab, { [words.name]: 'Study server' });
  await dialog(tab).getByRole('button', { name: words.create }).click();
  const apiKey = await dialog(tab).getByRole('region', { name: words.key, exact: true }).innerText();
  const first = await takeSecret();
  const row = tab.getByRole('row', { name: /Study server/ });
  await row.getByRole('button', { name: words.rotate }).click();
  await tab.getByLabel(words.grace).selectOption('now');
  await dialog(tab).getByRole('button', { name: words.rotate }).click();
  const second = await takeSecret();
  // The study's server, by both.
  const statuses = await Promise.all(
    [first, second].map(async (apiSecret) => {
      return (await call(fixtures.service, '/v1/auth/token', { json: { apiKey, apiSecret } })).status;
    }),
  );
  assert.deepEqual(statuses, [401, 200]);
}

async function blockApp(tab: Page, browser: PersonBrowser): Promise<void> {
  const { apps: words } = consoleEn;
  await goTo(tab, 'apps');
  await tab.locator('[data-row-link]').first().click();
  await press(tab, words.actions.block);
  await dialog(tab)
    .getByText(words.block.ends(words.block.connections.one, words.block.patients.one))
    .waitFor();
  await dialog(tab).getByLabel(words.form.note, { exact: true }).fill('Nobody here knows who makes it.');
  await stayPresent();
  await dialog(tab).getByRole('button', { name: words.block.submit }).click();
  await tab.getByText(words.judgement.blocked).waitFor();
  browser.assertNoFaults();
}

/** The newest mail says that the organization ended something. */
const waitForLastMail = async (email: string) =>
  (await listMailsTo(fixtures.service, email)).at(-1) ?? assert.fail('no mail');

/** The project is done with the person, who is notified. */
async function endEnrollment(tab: Page, email: string, project: string): Promise<void> {
  const { patients: words } = consoleEn;
  await goTo(tab, 'patients');
  await tab.locator('.filters').getByLabel(words.search, { exact: true }).fill(email);
  await tab.keyboard.press('Enter');
  await tab.getByRole('row').filter({ hasText: email }).locator('[data-row-link]').click();
  await press(tab, words.details.show);
  const enrollment = tab
    .locator('li')
    .filter({ hasText: project })
    .filter({ has: tab.getByRole('button') });
  const end = enrollment.getByRole('button', { name: words.details.end, exact: true });
  await end.click();
  await stayPresent();
  await dialog(tab).getByRole('button', { name: words.details.end }).click();
  await tab.getByText(words.details.ended).waitFor();
  await tab.getByText(words.states['ended'] ?? '', { exact: true }).waitFor();
  await end.waitFor({ state: 'detached' });
  // No name is kept of them, and it was no app that brought them.
  await assertAbsent(tab.getByText(words.byApp, { exact: true }));
  assert.match((await waitForLastMail(email)).text ?? '', /has ended your part/);
}

async function verifyLog(tab: Page): Promise<void> {
  const { audit: words } = consoleEn;
  await goTo(tab, 'audit');
  await tab
    .locator('tbody')
    .getByText((words.actions['client.blocked']?.('', '@').split('@')[0] ?? '').trim())
    .first()
    .waitFor();
  await stayPresent();
  const downloading = tab.waitForEvent('download');
  await press(tab, words.export.ndjson);
  const file = path.join(folder, 'audit.ndjson');
  await (await downloading).saveAs(file);
  const keys = path.join(folder, 'keys.json');
  fs.writeFileSync(keys, JSON.stringify((await call(fixtures.service, '/.well-known/jwks.json')).body));
  const { code, stdout } = await runCommand(['audit verify', file, '--keys', keys]);
  assert.equal(code, 0, stdout);
}
