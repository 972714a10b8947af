import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { CDPSession, Cookie, Page } from 'playwright-core';
import type { Interaction } from '../../contract/oauth/interaction.ts';
import type { RecordSource } from '../../server/surfaces/oauth/requests/prepare-records.ts';
import { en } from '../harness/words.ts';
import { requestMailedLink, newAccount, newPerson, type TestAccount } from '../harness/account.ts';
import type { QueryParameters as Query } from '../harness/authorization.ts';
import {
  waitUntilVisible,
  waitForAgent,
  fill,
  openBrowser,
  openBrowserFixtures,
  openPrivate,
  PHONE,
  press,
  type PersonBrowser,
  type BrowserFixtures,
  waitForScreen,
} from '../harness/page.ts';
import { setBrand } from '../harness/brand.ts';
import { newOrganization, newTestPatient, type TestPatient } from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { emailScreens } from './email-screens.ts';
import { invitationScreens } from './invitation-screens.ts';
import { myDataScreens } from './my-data-screens.ts';

/** Who meets the screens, and what they are connected with. */
export interface ScreenFixtures extends BrowserFixtures {
  person: TestAccount;
  stranger: TestPatient;
  /** Of the authorization request, besides what it always has. */
  authorizeParameters: Query;
  /** Secrets of mailed links, by what they are for. */
  links: { create: string; renew: string };
  sources: RecordSource[];
  session: Cookie[];
  /** That the person shares with the agent, which lasts from one screen to the next. */
  isSharing: boolean;
  /** The tab holds the person's own page, at a part that no row has been to: the next part is gone to within it. */
  isPortalOpen: boolean;
  browser: PersonBrowser;
  tab: Page;
  inspector: CDPSession;
}

export async function openScreenFixtures(
  more: Partial<TestAccount> = {},
  options: Parameters<typeof openBrowserFixtures>[0] = {},
): Promise<ScreenFixtures> {
  let fixtures: ScreenFixtures | undefined;
  const connectedSources = async (): Promise<RecordSource[]> => fixtures?.sources ?? [];
  const browserFixtures = await openBrowserFixtures({ pictures: 'plain', ...options, connectedSources });
  const { service } = browserFixtures;
  const outsider = createTestBrowser(service);
  const person = await newAccount(service, outsider, more);
  const { email } = newPerson();
  const browser = await openBrowser(browserFixtures, { reducedMotion: 'reduce' });
  const tab = await browser.newTab();
  fixtures = {
    ...browserFixtures,
    person,
    stranger: await newTestPatient(service, { organization: await newOrganization(service), consent: false }),
    authorizeParameters: {},
    links: {
      create: await requestMailedLink(service, outsider, { email }),
      renew: await requestMailedLink(service, outsider, { email: person.email }),
    },
    sources: [],
    session: [],
    isSharing: false,
    isPortalOpen: false,
    browser,
    tab,
    inspector: await browser.context.newCDPSession(tab),
  };
  return fixtures;
}

interface StepContext {
  fixtures: ScreenFixtures;
  browser: PersonBrowser;
  tab: Page;
}

export type Step = (context: StepContext) => Promise<unknown>;

const goTo =
  (fragment: string): Step =>
  async ({ fixtures, tab }) => {
    const isWithin =
      fixtures.isPortalOpen && isPart(fragment) && (await tab.evaluate<boolean>(goWithin(fragment)));
    if (!isWithin) await tab.goto(`${fixtures.service.baseUrl}/consent/${fragment}`);
  };

/** Whether it names a part of the person's own page. */
const isPart = (fragment: string): boolean => fragment.startsWith('#/my-data');

/** Parts that ask the service nothing: at one of them the page waits for the next row. */
const BETWEEN = ['download', 'delete'] as const;

const isShown = (parts: readonly string[]): string =>
  `document.querySelector('${parts.map((part) => `[data-screen=my-data-${part}]`).join()}') !== null`;

const waitInPage = (condition: string): string =>
  `for (let frames = 0; frames < 600 && !(${condition}); frames++) await new Promise(requestAnimationFrame)`;

/** Another part is begun afresh, as where the page is loaded, for a fifth of the work. False where it is not open. */
const goWithin = (fragment: string): string => `(async () => {
  if (!(${isShown(BETWEEN)})) return false;
  const left = document.querySelector('[data-screen]');
  location.hash = '${fragment}';
  ${waitInPage('!left.isConnected')};
  return true;
})()`;

/** Leaves a part for one of those between; whether the page is in English there, as it began. */
const LEAVE_PART = `(async () => {
  localStorage.clear();
  sessionStorage.clear();
  const wasDownload = ${isShown(['download'])};
  location.hash = wasDownload ? '#/my-data/delete-account' : '#/my-data/download';
  ${waitInPage(`wasDownload ? ${isShown(['delete'])} : ${isShown(['download'])}`)};
  return ${isShown(BETWEEN)} && document.documentElement.lang === 'en';
})()`;

const openAuthorization: Step = ({ fixtures, tab }) =>
  tab.goto(fixtures.agent.connectUrl(fixtures.authorizeParameters));
/** As once before: a password is costly to check. */
const signIn: Step = async ({ fixtures, browser }) => {
  if (fixtures.session.length > 0) return browser.context.addCookies(fixtures.session);
  await browser.signIn(fixtures.person);
  const cookies = await browser.context.cookies();
  fixtures.session = cookies.filter(({ name }) => name.endsWith('session'));
};

const pressAll =
  (...names: string[]): Step =>
  async ({ tab }) => {
    for (const name of names) await press(tab, name);
  };

const submitEmpty: Step = pressAll(en.signIn.submit);
const reviewSteps = [signIn, openAuthorization, pressAll(en.confirmIdentity.yes)];
const typeEmail: Step = ({ fixtures, tab }) => fill(tab, { [en.form.email]: fixtures.person.email });

const typePassword: Step = async ({ fixtures, tab }) => {
  fixtures.links.renew = 'used';
  await fill(tab, { [en.form.newPassword]: fixtures.person.password });
  await press(tab, en.link.submitRenew);
};

/** The service answers so, of what cannot be brought about in passing. */
const fulfillWith =
  (url: string, status: number, body: object = {}): Step =>
  async ({ browser, fixtures }) => {
    browser.expectRefusals(String(status));
    fixtures.answers.answer(url, status, body);
  };

const answerWith =
  (url: string, body: object): Step =>
  async ({ fixtures }) =>
    fixtures.answers.answer(url, 200, body);

const abortSession: Step = ({ tab }) => tab.route('**/account/session', (route) => route.abort('aborted'));

/** The browser stays where it is, as while the service is slow to answer. */
const holdBackRedirect: Step = async ({ fixtures }) =>
  fixtures.answers.answer('**/oauth/complete/*', 204, {});

const useSlowAndFailingSources: Step = async ({ fixtures }) => {
  fixtures.sources = [
    { name: 'Riverside Hospital', fetch: () => new Promise(() => undefined) },
    { name: 'Closed clinic', fetch: () => Promise.reject(new Error('unreachable')) },
    { name: 'Hill Clinic', fetch: () => Promise.resolve() },
  ];
};

const useSilentSource: Step = async ({ fixtures }) => {
  fixtures.sources = [{ name: 'Riverside Hospital', fetch: () => Promise.resolve('later') }];
};

const waitForLateSource: Step = async ({ fixtures, tab }) => {
  await tab.getByText(en.goOnWithout.title).waitFor();
  fixtures.sources = [];
};

const waitForFailedSource: Step = async ({ fixtures, tab }) => {
  await tab.getByText(en.processing.failed).waitFor();
  fixtures.sources = [];
};

const returnToAgent: Step = async ({ fixtures, tab }) => {
  await waitForAgent(tab, fixtures.agent);
  // An app is one of the person's from its first token on.
  await fixtures.agent.exchange(fixtures.agent.visits.at(-1)?.answer['code'], fixtures.authorizeParameters);
  fixtures.isSharing = true;
};
const sharingSteps = [...reviewSteps, pressAll(en.review.allow), returnToAgent];

/** Signed in, with an app that reads. */
const shareOnce: Step = async (context) => {
  for (const step of context.fixtures.isSharing ? [signIn] : sharingSteps) await step(context);
};

/** The service's answer about a request, with something that takes long to bring about. */
const patchInteraction =
  (change: (interaction: Interaction) => object): Step =>
  async ({ fixtures }) =>
    fixtures.answers.change('**/oauth/interaction/*', (interaction: Interaction) => ({
      ...interaction,
      ...change(interaction),
    }));

/** The organization has a mark and a colour; the mark is that of another, so that the other rows are as they were. */
const useBrand: Step = async (context) => {
  const { service } = context.fixtures;
  const brand = await setBrand(service, '#ffcc00', await newOrganization(service));
  await patchInteraction(({ organization }) => ({
    organization: { ...organization, name: 'Riverside Community Clinic', brand },
  }))(context);
};

const PROJECT_CONTENT = {
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

const withProjectContent = ({ project }: Interaction) => ({
  project: {
    ...project,
    content: {
      en: PROJECT_CONTENT,
      contact: { name: 'Dr. Ana Ruiz', email: 'asthma@riverside.example', phone: '+1 555 010 2030' },
    },
  },
});

const PREVIOUS_CONSENT = {
  previous: {
    fullRecordWithoutRestrictedData: false,
    consentDataResourceScopes: ['DIAGNOSES', 'ALLERGIES', 'MEDICATIONS', 'LABS', 'CLINICAL_VITALS', 'VISITS'],
    consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'],
    decidedAt: '2026-03-01T10:00:00.000Z',
    inForce: true,
    expiresAt: '2027-03-01T10:00:00.000Z',
    sameContent: false,
    content: {
      en: {
        ...PROJECT_CONTENT,
        purpose: 'We look at how often people with asthma see a doctor.',
        categoryPurposes: { LABS: PROJECT_CONTENT.categoryPurposes.LABS },
      },
      contact: null,
    },
    samePage: false,
    consentRecordId: '00000000-0000-4000-8000-000000000000',
    clients: ['Pill helper', null],
    grant: null,
  },
};

const useLookAlikeClient = patchInteraction(({ client }) => ({
  client: {
    ...client,
    name: 'Cl\u0430ude',
    looksLike: 'Claude',
    onThisDevice: true,
    about: {
      clientUri: 'https://agent.example/',
      policyUri: `https://${'a-long-name.'.repeat(6)}example/privacy`,
      tosUri: 'https://agent.example/terms',
      contacts: [`${'help-with-everything'.repeat(3)}@agent.example`],
    },
  },
}));

const patchClient = (change: Partial<Interaction['client']>) =>
  patchInteraction(({ client }) => ({ client: { ...client, ...change } }));

const useKnownClient = patchClient({ knownBy: 'Riverside Community Clinic' });

const useBlockedClient = patchClient({ letIn: false });

const includePart2: Step = async ({ tab }) => {
  await openPrivate(tab);
  await tab.getByRole('checkbox', { name: en.data.sensitivities.SUD_PART_2.name }).check();
};

/** Less of one, more of another than is shared with the project. */
const shareOtherwise: Step = async ({ tab }) => {
  await tab.getByRole('checkbox', { name: en.data.sensitivities.MENTAL_HEALTH.name }).uncheck();
  await tab.getByRole('checkbox', { name: en.data.groups.life }).check();
  await tab.getByRole('radio', { name: en.review.howLong.durations['30-days'] }).check();
};

/** With everything that a yes may lack. */
const allowIncomplete: Step = async ({ tab }) => {
  await press(tab, en.data.shareNone);
  await press(tab, en.data.oneByOneIn(en.data.groups.tests));
  await tab.getByRole('radio', { name: en.review.howLong.durations.until }).check();
  await tab.getByRole('checkbox', { name: en.review.decision.represent }).check();
  await press(tab, en.review.allow);
};

const signInStranger: Step = ({ fixtures, browser }) => browser.signIn(fixtures.stranger);

const openElsewhere: Step = async ({ fixtures, browser, tab }) => {
  await openAuthorization({ fixtures, browser, tab });
  const url = tab.url();
  await browser.waitUntilStill(tab);
  await browser.context.clearCookies();
  await tab.goto('about:blank');
  browser.expectRefusals('403 GET /oauth/interaction/');
  await tab.goto(url);
};

const expectRefusal =
  (refusal: string, step: Step): Step =>
  async (context) => {
    context.browser.expectRefusals(refusal);
    await step(context);
  };

const openLink =
  (of: 'create' | 'renew'): Step =>
  (context) =>
    goTo(`#/account/link/${context.fixtures.links[of]}`)(context);

export interface ScreenCase {
  screen: string;
  variant?: string;
  steps: readonly Step[];
}

/** What a `reached` screen is, by its name in the page, and the ways there. */
export const SCREENS: readonly ScreenCase[] = [
  { screen: 'start', steps: [goTo('')] },
  { screen: 'start-signed-in', steps: [signIn, goTo('')] },
  ...invitationScreens({ goTo, pressAll, signIn, fulfillWith }),
  { screen: 'sign-in', steps: [openAuthorization] },
  { screen: 'sign-in', variant: 'sign-in-faults', steps: [openAuthorization, submitEmpty] },
  { screen: 'sign-up', steps: [openAuthorization, pressAll(en.signIn.signUp)] },
  { screen: 'forgotten-password', steps: [openAuthorization, pressAll(en.signIn.forgotten)] },
  {
    screen: 'mail-sent',
    steps: [openAuthorization, pressAll(en.signIn.forgotten), typeEmail, pressAll(en.forgotten.submit)],
  },
  { screen: 'choose-password', variant: 'choose-password-new', steps: [openLink('create')] },
  {
    screen: 'choose-password',
    variant: 'choose-password-faults',
    steps: [openLink('create'), pressAll(en.link.submitCreate)],
  },
  { screen: 'choose-password', variant: 'choose-password-renew', steps: [openLink('renew')] },
  {
    screen: 'choose-password',
    variant: 'choose-password-passkeys',
    steps: [
      answerWith('**/account/link', {
        email: 'ana@mail.example',
        hasPassword: true,
        needsName: false,
        passkeys: [
          { name: 'Blue phone', createdAt: '2026-01-05T10:00:00Z' },
          { name: 'Computer-at-work-'.repeat(5), createdAt: '2026-01-05T10:00:00Z' },
        ],
        continueWith: null,
        projectId: null,
        organization: null,
      }),
      openLink('renew'),
    ],
  },
  { screen: 'link-reloaded', steps: [goTo('#/account/link')] },
  {
    screen: 'link-gone',
    steps: [
      expectRefusal('404 POST /account/link', goTo(`#/account/link/${randomBytes(20).toString('hex')}`)),
    ],
  },
  ...emailScreens({ goTo, pressAll, answerWith, fulfillWith }),
  { screen: 'who-is-this', steps: [signIn, openAuthorization] },
  { screen: 'not-eligible', steps: [signInStranger, openAuthorization] },
  { screen: 'not-let-in', steps: [useBlockedClient, openAuthorization] },
  { screen: 'review', variant: 'review-known', steps: [useKnownClient, ...reviewSteps] },
  { screen: 'sign-in', variant: 'sign-in-look-alike', steps: [useLookAlikeClient, openAuthorization] },
  { screen: 'review', steps: reviewSteps },
  {
    screen: 'review',
    variant: 'review-project-content',
    steps: [patchInteraction(withProjectContent), ...reviewSteps, includePart2],
  },
  {
    screen: 'review',
    variant: 'review-again',
    steps: [
      patchInteraction((openAuthorization) => ({
        ...withProjectContent(openAuthorization),
        ...PREVIOUS_CONSENT,
      })),
      ...reviewSteps,
      shareOtherwise,
    ],
  },
  {
    screen: 'review-short',
    steps: [
      patchInteraction((interaction) => ({
        ...withProjectContent(interaction),
        previous: {
          ...PREVIOUS_CONSENT.previous,
          sameContent: true,
          samePage: true,
          grant: PREVIOUS_CONSENT.previous,
        },
        shortForm: true,
      })),
      ...reviewSteps,
    ],
  },
  { screen: 'review', variant: 'review-branded', steps: [useBrand, ...reviewSteps] },
  { screen: 'review', variant: 'review-look-alike', steps: [useLookAlikeClient, ...reviewSteps] },
  { screen: 'review', variant: 'review-faults', steps: [...reviewSteps, allowIncomplete] },
  {
    screen: 'processing',
    steps: [useSlowAndFailingSources, ...reviewSteps, pressAll(en.review.allow), waitForFailedSource],
  },
  {
    screen: 'go-on',
    steps: [useSilentSource, ...reviewSteps, pressAll(en.review.allow), waitForLateSource],
  },
  { screen: 'leaving', steps: [...reviewSteps, holdBackRedirect, pressAll(en.review.deny)] },
  {
    screen: 'decided-before',
    steps: [
      ...reviewSteps,
      ({ tab }) => waitForScreen(tab, 'review'),
      fulfillWith('**/oauth/interaction/*', 409, { code: 'already_decided' }),
      patchInteraction(() => ({ status: 'ready' })),
      pressAll(en.review.deny),
    ],
  },
  { screen: 'closed', steps: [...sharingSteps, ({ tab }) => tab.goBack()] },
  ...myDataScreens({ goTo, pressAll, signIn, shareOnce }),
  { screen: 'expired', steps: [fulfillWith('**/oauth/interaction/*', 410), openAuthorization] },
  { screen: 'unknown', steps: [goTo('#/patient-consent/some/enrollment/link?oauth_state=garbage')] },
  {
    screen: 'unknown',
    variant: 'unknown-invitation',
    steps: [goTo('#/patient-consent/some/enrollment/link')],
  },
  { screen: 'other-browser', steps: [openElsewhere] },
  {
    screen: 'stale-page',
    steps: [fulfillWith('**/oauth/interaction/*', 403, { code: 'csrf' }), openAuthorization],
  },
  { screen: 'throttled', steps: [fulfillWith('**/account/session', 429), goTo('')] },
  { screen: 'unreachable', steps: [abortSession, goTo('')] },
  // Last: it uses the link, and the session of the person with it.
  { screen: 'signed-in', steps: [openLink('renew'), typePassword] },
];

/**
 * The tab, come to a screen. One for all, which is made as new each time: going somewhere in it takes a fifth of the work
 * that a browser and a tab of its own take.
 */
export async function openScreen(
  test: TestContext,
  fixtures: ScreenFixtures,
  { screen, steps }: ScreenCase,
): Promise<Page> {
  const { browser, tab } = fixtures;
  const isKept = screen.startsWith('my-data');
  if (fixtures.isPortalOpen && !isKept) await resetBrowser(fixtures);
  test.after(async () => {
    await (isKept ? leavePortalOpen(fixtures) : resetBrowser(fixtures));
    browser.assertNoFaults();
  });
  for (const step of steps) await step({ fixtures, browser, tab });
  await browser.waitForRefusals();
  await waitUntilVisible(tab.locator(`[data-screen="${screen}"]`));
  await browser.waitUntilStill(tab);
  return tab;
}

/** The same person, signed in, with nothing left of the part that was open; or nobody, where that fails. */
async function leavePortalOpen(fixtures: ScreenFixtures): Promise<void> {
  const { tab, answers } = fixtures;
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  answers.clear();
  await restoreWindow(tab);
  fixtures.isPortalOpen = await tab.evaluate<boolean>(LEAVE_PART);
  if (!fixtures.isPortalOpen) await resetBrowser(fixtures);
}

async function restoreWindow(tab: Page): Promise<void> {
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.setViewportSize(PHONE);
}

/** Nobody is signed in, no language was chosen, and the service answers for itself. */
async function resetBrowser(fixtures: ScreenFixtures): Promise<void> {
  const {
    browser: { context },
    tab,
    inspector,
    service,
    answers,
  } = fixtures;
  fixtures.isPortalOpen = false;
  await tab.goto('about:blank');
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  answers.clear();
  await context.clearCookies();
  const { origin } = new URL(service.baseUrl);
  await inspector.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await restoreWindow(tab);
}
