import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Role } from '../../contract/roles.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { beginTestSession, newMember, type TestMember } from '../harness/member.ts';
import {
  DESKTOP,
  NARROW,
  openBrowser,
  fill,
  openBrowserFixtures,
  press,
  type BrowserFixtures,
  type PersonBrowser,
} from '../harness/page.ts';
import { appsScreens } from './console-apps-screens.ts';
import { createMark } from '../harness/brand.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newProject } from '../harness/service.ts';
import { consoleEn as en } from '../harness/words.ts';
import { listConsentScreens } from './console-consents.ts';
import { listSourceScreens } from './console-source-screens.ts';
import { listWebhookScreens } from './console-webhook-screens.ts';
import { listPatientScreens } from './console-patient-screens.ts';
import { listProjectScreens } from './console-project-screens.ts';
import { listTestPatientScreens } from './console-test-patient-screens.ts';

/** One service, one filled organization, one tab: every screen of the console is come to in them. */
export interface ConsoleFixtures extends BrowserFixtures {
  browser: PersonBrowser;
  tab: Page;
  members: Record<Role, TestMember>;
  /** Cookies of sessions, by role. */
  sessions: Partial<Record<Role, string>>;
  /** Whose console the tab holds, with no page of it open: the next is gone to within it. Null: it has to be loaded. */
  loadedFor: Role | null;
}

export async function openConsoleFixtures(): Promise<ConsoleFixtures> {
  // An IP address has no passkeys.
  const port = String(await findFreePort());
  const fixtures = await openBrowserFixtures({
    environment: { PORT: port, CHARTGATE_BASE_URL: `http://localhost:${port}` },
  });
  const { service } = fixtures;
  service.clock.stop();
  const members = {} as Record<Role, TestMember>;
  for (const role of ['owner', 'admin', 'developer', 'researcher', 'auditor'] as const)
    members[role] = await newMember(service, role);
  await newProject(service, 'Asthma and air in the valley: a study over three years');
  const browser = await openBrowser(fixtures, { reducedMotion: 'reduce', timezoneId: 'America/New_York' });
  return { ...fixtures, browser, tab: await browser.newTab(), members, sessions: {}, loadedFor: null };
}

interface StepContext {
  fixtures: ConsoleFixtures;
  browser: PersonBrowser;
  tab: Page;
}

export type ConsoleStep = (context: StepContext) => Promise<unknown>;

/** Opens a page, by its path below /console: within the console that is there, or by loading it. */
export const open =
  (path: string): ConsoleStep =>
  async ({ fixtures, tab }) => {
    const isWithin = fixtures.loadedFor !== null && (await goWithin(tab, path));
    if (!isWithin) await tab.goto(`${fixtures.service.baseUrl}/console${path}`);
  };

export const pressAll =
  (...names: string[]): ConsoleStep =>
  async ({ tab }) => {
    for (const name of names) await press(tab, name);
  };

/** The service answers so, of what cannot be brought about in passing. `url` is a pattern of Playwright's. */
export const answerWith =
  (url: string, status: number, body: object): ConsoleStep =>
  async ({ browser, fixtures }) => {
    if (status >= 400) browser.expectRefusals(String(status));
    fixtures.answers.answer(url, status, body);
  };

/** The service does not answer, as while it is slow. */
export const holdBack =
  (url: string | RegExp): ConsoleStep =>
  async ({ fixtures }) =>
    fixtures.answers.holdBack(url);

/** A screen of the console, and the way to it. Its name is that of the `Page` or `EntryScreen`. */
export interface ConsoleScreen {
  screen: string;
  /** Distinguishes several states of one screen. */
  variant?: string;
  /** Who is signed in: the owner where nothing is said, nobody for null. */
  role?: Role | null;
  /** A request of it is never answered. */
  isHeld?: boolean;
  /** Only a page that is loaded shows it. */
  isLoaded?: boolean;
  steps: readonly ConsoleStep[];
}

/** The session of somebody who has to choose something first. */
const buildSetupSession = (setup: readonly string[], name = 'Ana Ruiz') => ({
  csrfToken: 'token',
  member: {
    id: '00000000-0000-4000-8000-000000000001',
    email: 'ana@clinic.example',
    name,
    role: 'owner',
    projectIds: null,
    isJoined: false,
    proofs: ['password'],
  },
  organization: { id: '00000000-0000-4000-8000-000000000002', name: 'Riverside Community Clinic' },
  setup,
  oidc: null,
  isConfirmed: true,
});

/** Nobody is signed in, and the organization has an identity provider. */
const buildSignedOut = ({ isOnly }: { isOnly: boolean }) => ({
  csrfToken: 'token',
  member: null,
  organization: null,
  setup: [],
  oidc: { host: 'login.riverside.example', isOnly },
  isConfirmed: false,
});

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

const setUpFactor: readonly ConsoleStep[] = [
  answerWith('**/console/session', 200, buildSetupSession(['factor'])),
  answerWith('**/console/totp', 200, {
    secret: SECRET,
    uri: `otpauth://totp/Chartgate:ana@clinic.example?secret=${SECRET}&issuer=Chartgate`,
  }),
  open('/'),
  pressAll(en.signIn.setup.begin),
];

const typeIn =
  (fields: Readonly<Record<string, string>>): ConsoleStep =>
  ({ tab }) =>
    fill(tab, fields);

const waitForText =
  (text: string): ConsoleStep =>
  ({ tab }) =>
    tab.getByText(text).first().waitFor();

/** Signing in, the first set-up and invitations. */
const ENTRY_SCREENS: readonly ConsoleScreen[] = [
  {
    screen: 'sign-in-code',
    role: null,
    steps: [
      answerWith('**/console/sign-in', 401, { code: 'code_required' }),
      open('/'),
      typeIn({ [en.signIn.email]: 'ana@clinic.example', [en.signIn.password]: 'a long password' }),
      pressAll(en.signIn.submit),
    ],
  },
  {
    screen: 'setup-password',
    steps: [
      // A login that was made on the server has no name yet.
      answerWith('**/console/session', 200, buildSetupSession(['password', 'factor'], 'ana@clinic.example')),
      open('/'),
    ],
  },
  {
    screen: 'setup-choice',
    steps: [answerWith('**/console/session', 200, buildSetupSession(['factor'])), open('/')],
  },
  {
    screen: 'sign-in',
    variant: 'sign-in-oidc',
    role: null,
    steps: [answerWith('**/console/session', 200, buildSignedOut({ isOnly: false })), open('/')],
  },
  {
    screen: 'sign-in',
    variant: 'sign-in-oidc-only',
    role: null,
    steps: [answerWith('**/console/session', 200, buildSignedOut({ isOnly: true })), open('/')],
  },
  {
    screen: 'oidc-refused',
    role: null,
    steps: [
      answerWith('**/console/sign-in/oidc/complete', 403, { code: 'no_role' }),
      open('/oidc?code=x&state=y'),
    ],
  },
  { screen: 'setup-factor', steps: setUpFactor },
  {
    screen: 'setup-recovery-codes',
    steps: [
      answerWith('**/console/totp/activate', 200, {
        recoveryCodes: Array.from({ length: 10 }, (_, index) => `k7mq-${index}wxp-3vbn`),
      }),
      ...setUpFactor,
      typeIn({ [en.signIn.setup.codeMissing]: '123456' }),
      pressAll(en.signIn.setup.activate),
    ],
  },
  {
    screen: 'invitation',
    role: null,
    steps: [
      answerWith('**/console/invitations/open', 200, {
        organization: { name: 'Riverside Community Clinic' },
        email: 'ben@clinic.example',
        role: 'developer',
        isReset: false,
        oidc: null,
      }),
      open('/invitation#some-token-of-an-invitation'),
    ],
  },
  ...[false, true].map((isOnly) => ({
    screen: 'invitation',
    variant: isOnly ? 'invitation-oidc-only' : 'invitation-oidc',
    role: null,
    steps: [
      answerWith('**/console/invitations/open', 200, {
        organization: { name: 'Riverside Community Clinic' },
        email: 'ben@clinic.example',
        role: 'developer',
        isReset: false,
        oidc: { host: 'login.riverside.example', isOnly },
      }),
      open('/invitation#some-token-of-an-invitation'),
    ],
  })),
  {
    screen: 'invitation-gone',
    role: null,
    steps: [
      ({ browser }) => Promise.resolve(browser.expectRefusals('404 POST /console/invitations/open')),
      open('/invitation#some-token-of-an-invitation'),
    ],
  },
  { screen: 'invitation-reloaded', role: null, steps: [open('/invitation')] },
  { screen: 'forgotten-password', role: null, steps: [open('/'), pressAll(en.signIn.forgotten.link)] },
  {
    screen: 'forgotten-password-sent',
    role: null,
    steps: [
      open('/'),
      pressAll(en.signIn.forgotten.link),
      typeIn({ [en.signIn.email]: 'ana@clinic.example' }),
      pressAll(en.signIn.forgotten.submit),
    ],
  },
  { screen: 'new-password', role: null, steps: [open('/new-password#some-token-of-a-mailed-link')] },
  { screen: 'new-password-reloaded', role: null, steps: [open('/new-password')] },
  {
    screen: 'new-password-done',
    role: null,
    steps: [
      answerWith('**/console/forgotten-password/choose', 204, {}),
      open('/new-password#some-token-of-a-mailed-link'),
      typeIn({ [en.signIn.setup.newPassword]: 'seven boats on a grey river' }),
      pressAll(en.signIn.setup.savePassword),
    ],
  },
  {
    screen: 'entry-error',
    steps: [answerWith('**/console/session', 429, { code: 'too_many_requests' }), open('/')],
  },
];

const KEYS = '**/v1/organizations/*/api-keys?*';

/** The list as all states of a list are come to, and the dialogs of a key. */
const API_KEY_SCREENS: readonly ConsoleScreen[] = [
  { screen: 'api-keys', steps: [open('/api-keys')] },
  {
    screen: 'api-keys',
    variant: 'api-keys-empty',
    steps: [answerWith(KEYS, 200, { total: 0, results: [] }), open('/api-keys')],
  },
  {
    screen: 'api-keys',
    variant: 'api-keys-failed',
    steps: [answerWith(KEYS, 400, { code: 'invalid_input' }), open('/api-keys')],
  },
  { screen: 'api-keys', variant: 'api-keys-auditor', role: 'auditor', steps: [open('/api-keys')] },
  { screen: 'no-permission', role: 'researcher', steps: [open('/api-keys')] },
  {
    screen: 'api-keys',
    variant: 'api-keys-create',
    steps: [open('/api-keys'), pressAll(en.apiKeys.create)],
  },
  {
    screen: 'api-keys',
    variant: 'api-keys-secret',
    steps: [
      ({ tab }) =>
        tab.route('**/v1/organizations/*/api-keys', (route) =>
          route.fulfill({
            status: 201,
            json: { name: 'Study server', apiKey: 'shown-key', apiSecret: 'shown-once' },
          }),
        ),
      open('/api-keys'),
      pressAll(en.apiKeys.create),
      typeIn({ [en.apiKeys.name]: 'Study server' }),
      ({ tab }) => tab.getByRole('dialog').getByRole('button', { name: en.apiKeys.create }).click(),
      waitForText(en.secret.once),
    ],
  },
  {
    screen: 'api-keys',
    variant: 'api-keys-presence',
    steps: [
      answerWith('**/v1/organizations/*/api-keys', 403, { code: 'confirmation_required' }),
      open('/api-keys'),
      pressAll(en.apiKeys.create),
      typeIn({ [en.apiKeys.name]: 'Study server' }),
      ({ tab }) => tab.getByRole('dialog').getByRole('button', { name: en.apiKeys.create }).click(),
      waitForText(en.confirm.lead),
    ],
  },
  {
    screen: 'api-keys',
    variant: 'api-keys-session-over',
    steps: [
      answerWith('**/v1/organizations/*/api-keys', 401, { code: 'not_signed_in' }),
      open('/api-keys'),
      pressAll(en.apiKeys.create),
      typeIn({ [en.apiKeys.name]: 'Study server' }),
      ({ tab }) => tab.getByRole('dialog').getByRole('button', { name: en.apiKeys.create }).click(),
      waitForText(en.sessionOver.lead),
    ],
  },
  {
    screen: 'api-keys',
    variant: 'api-keys-revoke',
    steps: [
      open('/api-keys'),
      ({ tab }) => tab.getByRole('button', { name: en.apiKeys.revoke }).first().click(),
      ({ tab }) => tab.getByRole('dialog').getByRole('button', { name: en.apiKeys.revoke }).click(),
    ],
  },
  {
    screen: 'api-keys',
    variant: 'api-keys-curl',
    steps: [open('/api-keys'), pressAll(en.curl.show)],
  },
];

const TEAM_SCREENS: readonly ConsoleScreen[] = [
  { screen: 'team', steps: [open('/team')] },
  // An owner is of owners alone.
  { screen: 'team', variant: 'team-of-admin', role: 'admin', steps: [open('/team')] },
  {
    screen: 'team',
    variant: 'team-invite',
    steps: [
      open('/team'),
      pressAll(en.team.invite),
      ({ tab }) => tab.getByRole('radio', { name: en.nav.theseProjects }).check(),
      pressAll(en.team.sendInvitation),
    ],
  },
  {
    screen: 'team',
    variant: 'team-remove',
    steps: [open('/team'), ({ tab }) => tab.getByRole('button', { name: en.team.remove }).first().click()],
  },
];

/** Every page of the console in each of its states. A new page adds its rows here, or a list of them in a file of its own. */
export const CONSOLE_SCREENS: readonly ConsoleScreen[] = [
  { screen: 'sign-in', role: null, steps: [open('/')] },
  {
    screen: 'sign-in',
    variant: 'sign-in-faults',
    role: null,
    steps: [open('/api-keys'), pressAll(en.signIn.submit)],
  },
  ...ENTRY_SCREENS.map((entry) => ({ ...entry, isLoaded: true })),
  { screen: 'home', steps: [open('/')] },
  { screen: 'home', variant: 'home-menu', steps: [open('/'), openMenu] },
  { screen: 'home', variant: 'home-keys', steps: [open('/'), pressKeys('?')] },
  { screen: 'home', variant: 'home-search', steps: [open('/'), pressKeys('/', 'o', 'r', 'g')] },
  {
    screen: 'home',
    variant: 'home-navigation',
    steps: [({ tab }) => tab.setViewportSize(NARROW), open('/'), pressAll(en.nav.menu)],
  },
  { screen: 'home', variant: 'home-researcher', role: 'researcher', steps: [open('/')] },
  ...appsScreens({ open, pressAll, answerWith }),
  ...listConsentScreens(),
  { screen: 'not-found', isLoaded: true, steps: [open('/nowhere')] },
  ...listWebhookScreens({ open, answerWith, pressAll }),
  ...listSourceScreens({ open, answerWith, pressAll }),
  ...API_KEY_SCREENS,
  ...TEAM_SCREENS,
  { screen: 'organization', steps: [open('/organization')] },
  {
    screen: 'organization',
    variant: 'organization-branded',
    steps: [
      open('/organization'),
      async ({ tab }) => {
        const { mark, color } = en.organization.brand;
        const buffer = createMark();
        const file = { name: 'mark.png', mimeType: 'image/png', buffer };
        await tab.getByLabel(mark, { exact: true }).setInputFiles(file);
        await tab.getByLabel(color, { exact: true }).fill('#ffcc00');
        await tab.locator('.brand-preview img').first().waitFor();
      },
    ],
  },
  {
    screen: 'organization',
    variant: 'organization-auditor',
    role: 'auditor',
    steps: [open('/organization')],
  },
  {
    screen: 'organization',
    variant: 'organization-loading',
    isHeld: true,
    steps: [holdBack(/\/v1\/organizations\/[\w-]+$/), open('/organization')],
  },
  { screen: 'profile', steps: [open('/profile')] },
  {
    screen: 'profile',
    variant: 'profile-passkeys',
    steps: [
      answerWith('**/console/passkeys', 200, {
        passkeys: [
          {
            id: '00000000-0000-4000-8000-000000000003',
            name: 'My computer',
            createdAt: '2026-01-05T09:00:00.000Z',
            lastUsedAt: null,
          },
        ],
        possible: true,
        hasTotp: false,
      }),
      open('/profile'),
      waitForText(en.profile.lastFactor),
    ],
  },
  {
    screen: 'profile',
    variant: 'profile-new-passkey',
    steps: [open('/profile'), pressAll(en.profile.addPasskey), waitForText(en.profile.createPasskey)],
  },
  {
    screen: 'profile',
    variant: 'profile-name',
    role: 'researcher',
    steps: [open('/profile'), pressAll(en.common.change), waitForText(en.common.save)],
  },
  {
    screen: 'profile',
    variant: 'profile-app',
    steps: [open('/profile'), pressAll(en.profile.replaceApp), waitForText(en.signIn.setup.activate)],
  },
  ...listPatientScreens({ open, answerWith, pressAll }),
  ...listProjectScreens({ open, answerWith, pressAll }),
  ...listTestPatientScreens({ open, answerWith, pressAll }),
];

/** Presses keys on the page, once it is there. */
export function pressKeys(...keys: readonly string[]): ConsoleStep {
  return async ({ tab }) => {
    await tab.locator('[data-screen]').waitFor();
    for (const key of keys) await tab.keyboard.press(key);
  };
}

async function openMenu({ fixtures, tab }: StepContext): Promise<void> {
  const { body } = await readSession(fixtures);
  await press(tab, en.nav.member(body.member.name));
}

async function readSession({ browser, service }: ConsoleFixtures) {
  const answer = await browser.context.request.get(`${service.baseUrl}/console/session`);
  return { body: (await answer.json()) as { member: { name: string } } };
}

/** What says that a secret, or the codes of an account, are stored. */
const STORED = 'dialog input[type=checkbox], [data-screen=setup-recovery-codes] input[type=checkbox]';

/** Comes to a screen in the one tab, which is made as new before. */
export async function openConsoleScreen(
  test: TestContext,
  fixtures: ConsoleFixtures,
  { screen, role = 'owner', isHeld = false, isLoaded = false, steps }: ConsoleScreen,
): Promise<Page> {
  const { browser, tab } = fixtures;
  const isKept = role !== null && !isHeld && !isLoaded;
  if (!isKept || fixtures.loadedFor !== role) await unload(fixtures);
  test.after(async () => {
    // A page with a secret that is not stored asks before it is left.
    for (const stored of await tab.locator(STORED).all()) await stored.check();
    const isClean = isKept && (await leavePage(tab));
    if (isClean) fixtures.loadedFor = role;
    await tab.setViewportSize(DESKTOP);
    await tab.emulateMedia({ colorScheme: 'light' });
    await tab.unrouteAll({ behavior: 'ignoreErrors' });
    fixtures.answers.clear();
    if (!isClean) {
      await tab.evaluate('localStorage.clear(), sessionStorage.clear()');
      await unload(fixtures);
    }
    browser.assertNoFaults();
  });
  await signIn(fixtures, role);
  for (const step of steps) await step({ fixtures, browser, tab });
  await browser.waitForRefusals();
  await tab.locator(`[data-screen="${screen}"]`).waitFor();
  if (isHeld) return tab;
  await browser.waitUntilStill(tab);
  // What is loaded when it is first shown, such as a chart, is waited for by no request that the page has made before.
  await tab.evaluate(`(async () => {
    while (document.querySelector('.skeleton')) await new Promise(requestAnimationFrame);
  })()`);
  return tab;
}

async function unload(fixtures: ConsoleFixtures): Promise<void> {
  fixtures.loadedFor = null;
  await fixtures.tab.goto('about:blank');
}

/** As another tab would that chooses a language: nothing is loaded anew, and what is open stays open. */
const chooseInPage = (language: string): string => `
  localStorage.setItem('chartgate-language', '${language}');
  dispatchEvent(new StorageEvent('storage', { key: 'chartgate-language', newValue: '${language}' }));`;

export const chooseLanguage = (tab: Page, language: string): Promise<unknown> =>
  tab.evaluate(`{ ${chooseInPage(language)} }`);

/** What the console shows where there is no page; whatever a page had is gone there. */
const NOWHERE = '/console/between';

/** What of a page would be seen on the next: a dialog, an open menu, a message of what was done, an answer that is missing. */
const LEFTOVER = 'dialog, [role=menu], [role=listbox], [aria-expanded=true], .toast, .offline';

/**
 * Leaves the page that is open, with English chosen and the storage emptied; whether nothing of it is left. The router notices
 * an address that changes by `history`, and keeps what is shown until the next page can be drawn.
 */
const leavePage = (tab: Page): Promise<boolean> =>
  tab.evaluate<boolean>(`(async () => {
    ${chooseInPage('en')}
    history.pushState({}, '', '${NOWHERE}');
    const isThere = () => document.documentElement.lang === 'en' && document.querySelector('[data-screen=not-found]');
    for (let frames = 0; frames < 200 && !isThere(); frames++) await new Promise(requestAnimationFrame);
    localStorage.clear();
    sessionStorage.clear();
    return document.documentElement.lang === 'en' && document.querySelector('[data-screen=not-found]') !== null && !document.querySelector('${LEFTOVER}');
  })()`);

/**
 * Goes to a page of a console that was left for nowhere, as one that was just loaded: it has asked the service nothing yet.
 * A tenth of the work of loading it. Answers false, and does nothing, where the cache of answers is not found.
 */
const goWithin = (tab: Page, path: string): Promise<boolean> =>
  tab.evaluate<boolean>(`(async () => {
    const container = document.getElementById('page');
    const key = Object.keys(container ?? {}).find((name) => name.startsWith('__reactContainer$'));
    let fiber = container?.[key]?.stateNode.current;
    while (fiber && !fiber.memoizedProps?.client) fiber = fiber.child;
    const client = fiber?.memoizedProps.client;
    if (!client?.resetQueries) return false;
    client.removeQueries({ type: 'inactive' });
    client.getMutationCache().clear();
    void client.resetQueries();
    history.pushState({}, '', '/console${path}');
    for (let frames = 0; frames < 600 && document.querySelector('[data-screen=not-found]'); frames++)
      await new Promise(requestAnimationFrame);
    return true;
  })()`);

/** One session a role, begun without the form. */
async function signIn(
  { service, browser, members, sessions }: ConsoleFixtures,
  role: Role | null,
): Promise<void> {
  await browser.context.clearCookies({ name: 'chartgate-console' });
  if (role === null) return;
  const value = (sessions[role] ??= await beginTestSession(service, members[role].memberId));
  // However long the rows take: the store's clock, which nobody stops, counts too.
  await service.store.db.query(sql`update member_session set confirmed_at = now()`);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
}
