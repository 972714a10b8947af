import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Cookie, Page } from 'playwright-core';
import type { Interaction } from '../../contract/interaction.ts';
import type { RecordSource } from '../../server/oauth/requests/record-sources.ts';
import { en } from '../../web/consent/src/words/en.ts';
import { mailedLink, newAccount, newPerson, type TestAccount } from '../harness/account.ts';
import type { Parameters as Query } from '../harness/authorization.ts';
import {
  appears,
  backAtAgent,
  fill,
  openBrowser,
  openStage,
  PHONE,
  press,
  type PersonBrowser,
  type Stage,
} from '../harness/page.ts';
import { newOrganization, newTestPatient, type TestPatient } from '../harness/service.ts';
import { visitor } from '../harness/visitor.ts';
import { myDataScreens } from './my-data-screens.ts';

/** Who meets the screens, and what they are connected with. */
export interface Cast extends Stage {
  person: TestAccount;
  stranger: TestPatient;
  /** Of the authorization request, besides what it always has. */
  asks: Query;
  /** Secrets of mailed links, by what they are for. */
  links: { create: string; renew: string };
  sources: RecordSource[];
  session: Cookie[];
  /** That the person shares with the agent, which lasts from one screen to the next. */
  shares: boolean;
  browser: PersonBrowser;
  tab: Page;
}

export async function openCast(
  more: Partial<TestAccount> = {},
  options: Parameters<typeof openStage>[0] = {},
): Promise<Cast> {
  let cast: Cast | undefined;
  const connectedSources = async (): Promise<RecordSource[]> => cast?.sources ?? [];
  const stage = await openStage({ ...options, connectedSources });
  const { service } = stage;
  const outsider = visitor(service);
  const person = await newAccount(service, outsider, more);
  const { email } = newPerson();
  const browser = await openBrowser(stage, { reducedMotion: 'reduce' });
  cast = {
    ...stage,
    person,
    stranger: await newTestPatient(service, { organization: await newOrganization(service), consent: false }),
    asks: {},
    links: {
      create: await mailedLink(service, outsider, { email }),
      renew: await mailedLink(service, outsider, { email: person.email }),
    },
    sources: [],
    session: [],
    shares: false,
    browser,
    tab: await browser.tab(),
  };
  return cast;
}

interface Visit {
  cast: Cast;
  browser: PersonBrowser;
  tab: Page;
}

export type Way = (visit: Visit) => Promise<unknown>;

const at =
  (fragment: string): Way =>
  ({ cast, tab }) =>
    tab.goto(`${cast.service.baseUrl}/consent/${fragment}`);

const asked: Way = ({ cast, tab }) => tab.goto(cast.agent.connectUrl(cast.asks));
/** As once before: a password is costly to check. */
const signedIn: Way = async ({ cast, browser }) => {
  if (cast.session.length > 0) return browser.context.addCookies(cast.session);
  await browser.signIn(cast.person);
  const cookies = await browser.context.cookies();
  cast.session = cookies.filter(({ name }) => name.endsWith('session'));
};

const pressing =
  (...names: string[]): Way =>
  async ({ tab }) => {
    for (const name of names) await press(tab, name);
  };

const nothingTyped: Way = pressing(en.signIn.submit);
const reviewed = [signedIn, asked, pressing(en.whoIsThis.yes)];
const emailTyped: Way = ({ cast, tab }) => fill(tab, { [en.form.email]: cast.person.email });

const passwordTyped: Way = async ({ cast, tab }) => {
  cast.links.renew = 'used';
  await fill(tab, { [en.form.newPassword]: cast.person.password });
  await press(tab, en.link.submitRenew);
};

/** The service answers so, of what cannot be brought about in passing. */
const told =
  (url: string, status: number, body: object = {}): Way =>
  ({ browser, tab }) => {
    browser.expect(String(status));
    return tab.route(url, (route) => route.fulfill({ status, json: body }));
  };

const cutOff: Way = ({ tab }) => tab.route('**/account/session', (route) => route.abort('aborted'));

/** The browser stays where it is, as while the service is slow to answer. */
const heldBack: Way = ({ tab }) =>
  tab.route('**/oauth/complete/*', (route) => route.fulfill({ status: 204 }));

const slowAndFailing: Way = async ({ cast }) => {
  cast.sources = [
    { name: 'Riverside Hospital', fetch: () => new Promise(() => undefined) },
    { name: 'Closed clinic', fetch: () => Promise.reject(new Error('unreachable')) },
    { name: 'Hill Clinic', fetch: () => Promise.resolve() },
  ];
};

const untilFailed: Way = async ({ cast, tab }) => {
  await tab.getByText(en.processing.failed).waitFor();
  cast.sources = [];
};

const back: Way = async ({ cast, tab }) => {
  await backAtAgent(tab, cast.agent);
  // An app is one of the person's from its first token on.
  await cast.agent.exchange(cast.agent.visits.at(-1)?.answer['code'], cast.asks);
  cast.shares = true;
};
const sharing = [...reviewed, pressing(en.review.allow), back];

/** Signed in, with an app that reads. */
const shared: Way = async (visit) => {
  for (const way of visit.cast.shares ? [signedIn] : sharing) await way(visit);
};

/** What the service tells of a request, with something that takes long to bring about. */
const telling =
  (change: (interaction: Interaction) => object): Way =>
  ({ tab }) =>
    tab.route('**/oauth/interaction/*', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      const interaction = (await response.json()) as Interaction;
      await route.fulfill({ response, json: { ...interaction, ...change(interaction) } });
    });

const TOLD = {
  title: 'Better asthma care',
  purpose: 'We want to find out which medicines help people with asthma best.',
  benefits: 'You may understand your own record better.',
  risks: 'Somebody who should not may see what you share.',
};

const toldByProject = ({ project }: Interaction) => ({
  project: {
    ...project,
    content: {
      en: TOLD,
      contact: { name: 'Dr. Ana Ruiz', email: 'asthma@riverside.example', phone: '+1 555 010 2030' },
    },
  },
});

const saidYesBefore = {
  previous: {
    fullRecordWithoutRestrictedData: false,
    consentDataResourceScopes: ['DIAGNOSES', 'ALLERGIES', 'MEDICATIONS', 'LABS', 'CLINICAL_VITALS', 'VISITS'],
    consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'],
    decidedAt: '2026-03-01T10:00:00.000Z',
    inForce: true,
    expiresAt: '2027-03-01T10:00:00.000Z',
    sameContent: false,
    content: {
      en: { ...TOLD, purpose: 'We look at how often people with asthma see a doctor.' },
      contact: null,
    },
    samePage: false,
    clients: ['Pill helper', null],
  },
};

const lookingAlike = telling(({ client }) => ({
  client: { ...client, name: 'Cl\u0430ude', looksLike: 'Claude', onThisDevice: true },
}));

const ofProgramToo: Way = ({ tab }) =>
  tab.getByRole('checkbox', { name: en.data.classes.SUD_PART_2.name }).check();

/** With everything that a yes may lack. */
const leftOut: Way = async ({ tab }) => {
  await press(tab, en.data.shareNone);
  await press(tab, en.data.oneByOneIn(en.data.groups.tests));
  await tab.getByRole('radio', { name: en.review.howLong.terms.until }).check();
  await tab.getByRole('checkbox', { name: en.review.decision.represent }).check();
  await press(tab, en.review.allow);
};

const foreign: Way = ({ cast, browser }) => browser.signIn(cast.stranger);

const begunElsewhere: Way = async ({ cast, browser, tab }) => {
  await asked({ cast, browser, tab });
  const url = tab.url();
  await browser.context.clearCookies();
  await tab.goto('about:blank');
  browser.expect('403 GET /oauth/interaction/');
  await tab.goto(url);
};

const refusedBy =
  (refusal: string, way: Way): Way =>
  async (visit) => {
    visit.browser.expect(refusal);
    await way(visit);
  };

const link =
  (of: 'create' | 'renew'): Way =>
  (visit) =>
    at(`#/account/link/${visit.cast.links[of]}`)(visit);

export interface ScreenOf {
  screen: string;
  as?: string;
  ways: readonly Way[];
}

/** What a `reached` screen is, by its name in the page, and the ways there. */
export const SCREENS: readonly ScreenOf[] = [
  { screen: 'start', ways: [at('')] },
  { screen: 'start-signed-in', ways: [signedIn, at('')] },
  { screen: 'invitation', ways: [at('#/patient-consent/some/enrollment/link')] },
  { screen: 'invitation-next', ways: [signedIn, at('#/patient-consent/some/enrollment/link')] },
  { screen: 'sign-in', ways: [asked] },
  { screen: 'sign-in', as: 'sign-in-faults', ways: [asked, nothingTyped] },
  { screen: 'sign-up', ways: [asked, pressing(en.signIn.signUp)] },
  { screen: 'forgotten-password', ways: [asked, pressing(en.signIn.forgotten)] },
  {
    screen: 'mail-sent',
    ways: [asked, pressing(en.signIn.forgotten), emailTyped, pressing(en.forgotten.submit)],
  },
  { screen: 'choose-password', as: 'choose-password-new', ways: [link('create')] },
  {
    screen: 'choose-password',
    as: 'choose-password-faults',
    ways: [link('create'), pressing(en.link.submitCreate)],
  },
  { screen: 'choose-password', as: 'choose-password-renew', ways: [link('renew')] },
  { screen: 'link-reloaded', ways: [at('#/account/link')] },
  {
    screen: 'link-gone',
    ways: [refusedBy('404 POST /account/link', at(`#/account/link/${randomBytes(20).toString('hex')}`))],
  },
  { screen: 'who-is-this', ways: [signedIn, asked] },
  { screen: 'not-eligible', ways: [foreign, asked] },
  { screen: 'sign-in', as: 'sign-in-look-alike', ways: [lookingAlike, asked] },
  { screen: 'review', ways: reviewed },
  { screen: 'review', as: 'review-told', ways: [telling(toldByProject), ...reviewed, ofProgramToo] },
  {
    screen: 'review',
    as: 'review-again',
    ways: [telling((asked) => ({ ...toldByProject(asked), ...saidYesBefore })), ...reviewed],
  },
  { screen: 'review', as: 'review-look-alike', ways: [lookingAlike, ...reviewed] },
  { screen: 'review', as: 'review-faults', ways: [...reviewed, leftOut] },
  { screen: 'processing', ways: [slowAndFailing, ...reviewed, pressing(en.review.allow), untilFailed] },
  { screen: 'leaving', ways: [...reviewed, heldBack, pressing(en.review.deny)] },
  { screen: 'closed', ways: [...sharing, ({ tab }) => tab.goBack()] },
  ...myDataScreens({ at, pressing, signedIn, shared }),
  { screen: 'expired', ways: [told('**/oauth/interaction/*', 410), asked] },
  { screen: 'unknown', ways: [at('#/patient-consent/some/enrollment/link?oauth_state=garbage')] },
  { screen: 'other-browser', ways: [begunElsewhere] },
  { screen: 'stale-page', ways: [told('**/oauth/interaction/*', 403, { code: 'csrf' }), asked] },
  { screen: 'throttled', ways: [told('**/account/session', 429), at('')] },
  { screen: 'unreachable', ways: [cutOff, at('')] },
  // Last: it uses the link, and the session of the person with it.
  { screen: 'signed-in', ways: [link('renew'), passwordTyped] },
];

/**
 * The tab, come to a screen. One for all, which is made as new each time: going somewhere in it takes a fifth of the work
 * that a browser and a tab of its own take.
 */
export async function comeTo(test: TestContext, cast: Cast, { screen, ways }: ScreenOf): Promise<Page> {
  const { browser, tab } = cast;
  test.after(async () => {
    await forget(cast);
    browser.judge();
  });
  for (const way of ways) await way({ cast, browser, tab });
  await appears(tab.locator(`[data-screen="${screen}"]`));
  return tab;
}

/** Nobody is signed in, no language was chosen, and the service answers for itself. */
async function forget({ browser: { context }, tab, service }: Cast): Promise<void> {
  await tab.goto('about:blank');
  await tab.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  const inspector = await context.newCDPSession(tab);
  const { origin } = new URL(service.baseUrl);
  await inspector.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await inspector.detach();
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.setViewportSize(PHONE);
}
