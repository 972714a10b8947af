import type { ClientApp, ClientDetail } from '../../contract/organization/clients.ts';
import { consoleEn as en } from '../harness/words.ts';
import { assertAbsent } from '../harness/page-assertions.ts';
import type { ConsoleScreen, ConsoleStep } from './console-screens.ts';

const ID = '00000000-0000-4000-8000-00000000000';

const buildApp = (change: Partial<ClientApp> = {}): ClientApp => ({
  id: `${ID}1` as ClientApp['id'],
  name: 'Pill helper for people who take many medicines',
  documentUrl: null,
  redirectHost: 'pill-helper.example',
  looksLike: null,
  firstSeenAt: '2026-11-02T09:30:00.000Z',
  patients: 12,
  reads: 1000,
  lastReadAt: '2026-11-22T18:04:00.000Z',
  judgement: 'new',
  note: null,
  until: null,
  judgedAt: null,
  judgedBy: null,
  blocks: 'host:pill-helper.example',
  ...change,
});

const JUDGED = {
  note: 'Reviewed with the privacy officer',
  judgedAt: '2026-11-20T10:00:00.000Z',
  judgedBy: { kind: 'member', id: `${ID}9` },
} as const;

const APPS = [
  buildApp(),
  buildApp({
    id: `${ID}2` as ClientApp['id'],
    name: 'Claude',
    documentUrl: 'https://claude.ai/oauth/client.json',
    redirectHost: 'claude.ai',
    reads: 41,
    judgement: 'vouched',
    ...JUDGED,
  }),
  buildApp({
    id: `${ID}3` as ClientApp['id'],
    name: 'Cl\u0430ude',
    redirectHost: null,
    looksLike: 'Claude',
    patients: 0,
    reads: 0,
    lastReadAt: null,
    judgement: 'blocked',
    blocks: 'device:claude',
    ...JUDGED,
  }),
];

const buildDetail = (app: ClientApp): ClientDetail => ({
  ...app,
  about: {
    clientUri: 'https://pill-helper.example/',
    policyUri: 'https://pill-helper.example/privacy',
    tosUri: null,
    contacts: ['help@pill-helper.example'],
  },
  registrations: {
    total: 31,
    newest: [1, 2, 3].map((number) => ({
      clientId: `${ID}${number}`,
      patients: number,
      firstConnectedAt: '2026-11-20T10:00:00.000Z',
    })),
  },
  connections: {
    active: 14,
    expired: 2,
    endedByClient: 1,
    endedByPatient: 3,
    endedForReuse: 1,
    endedByOrganization: 0,
  },
});

/** A week of reads, the last of which were refused. */
const USAGE = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-08T00:00:00.000Z',
  zone: 'UTC',
  results: [1, 2, 3, 5, 8].map((daysAgo) => ({
    at: new Date(Math.floor(Date.now() / 86_400_000 - daysAgo) * 86_400_000).toISOString(),
    kind: 'tool_call',
    key: null,
    count: 40 + daysAgo,
    refused: daysAgo < 3 ? 12 : 0,
    failed: 1,
    p50Ms: 12,
    p95Ms: 80,
  })),
  names: {},
};

interface Steps {
  open: (path: string) => ConsoleStep;
  pressAll: (...names: string[]) => ConsoleStep;
  answerWith: (url: string, status: number, body: object) => ConsoleStep;
}

/** What draws a chart is loaded when a page has one. */
const waitForPoints: ConsoleStep = ({ tab }) => tab.locator('.chart-point').first().waitFor();

/** The apps of an organization: a list, one of them, and what is thought of it. */
export function appsScreens({ open, pressAll, answerWith }: Steps): ConsoleScreen[] {
  const answerList = (results: readonly ClientApp[]) =>
    answerWith('**/v1/organizations/*/clients?*', 200, { results, next: null });
  const [pills, known, blocked] = APPS.map(buildDetail) as [ClientDetail, ClientDetail, ClientDetail];
  const openApp = (app: ClientDetail): ConsoleStep[] => [
    answerWith('**/v1/organizations/*/clients/*', 200, app),
    open(`/apps/${app.id}`),
  ];
  const read = answerWith('**/v1/organizations/*/usage?*', 200, USAGE);
  const counted = {
    client: pills,
    dryRun: true,
    ends: { connections: 14, patients: 12 },
    alsoCaught: [{ id: `${ID}5`, name: 'Pill counter', redirectHost: 'pill-helper.example' }],
  };
  // A list that fails is asked for once more by itself.
  const retried: ConsoleStep = ({ browser }) => Promise.resolve(browser.expectRefusals('503'));
  const { actions } = en.apps;
  return [
    { screen: 'apps', steps: [answerList(APPS), open('/apps')] },
    { screen: 'apps', variant: 'apps-empty', steps: [open('/apps')] },
    { screen: 'apps', variant: 'apps-none-found', steps: [open('/apps?q=nothing&judgement=blocked')] },
    {
      screen: 'apps',
      variant: 'apps-failed',
      steps: [answerWith('**/v1/organizations/*/clients?*', 503, { code: 'busy' }), retried, open('/apps')],
    },
    { screen: 'no-permission', role: 'researcher', steps: [open('/apps')] },
    { screen: 'app', steps: [read, ...openApp(known), waitForPoints] },
    {
      screen: 'app',
      variant: 'app-reads-table',
      role: 'developer',
      steps: [read, ...openApp(pills), waitForPoints, pressAll(en.charts.asTable)],
    },
    {
      screen: 'app',
      variant: 'app-as-patients-see-it',
      steps: [
        ...openApp(known),
        pressAll(en.apps.seen.show),
        async ({ tab }) => {
          const review = tab.frameLocator('.preview-frame');
          await review.getByRole('heading', { level: 1 }).waitFor();
          await review.locator('.asker-verified', { hasText: known.name ?? '' }).waitFor();
          await review.getByText('claude.ai', { exact: false }).first().waitFor();
        },
      ],
    },
    {
      screen: 'app',
      variant: 'app-not-vouched',
      steps: [
        ({ tab }) =>
          tab.route('**/v1/organizations/*/projects/*', async (route) => {
            // All of it, also where the page has had it before.
            const { 'if-none-match': _known, ...headers } = route.request().headers();
            const project: object = await (await route.fetch({ headers })).json();
            await route.fulfill({ json: { ...project, onlyVouchedApps: true } });
          }),
        ...openApp(pills),
        pressAll(en.apps.seen.show),
        ({ tab }) => tab.getByText(en.apps.seen.notVouched('').split(' ').slice(-6).join(' ')).waitFor(),
      ],
    },
    {
      screen: 'app',
      variant: 'app-of-device',
      steps: [
        ...openApp({ ...blocked, judgement: 'new', note: null, judgedAt: null, judgedBy: null }),
        ({ tab }) => tab.getByText(en.apps.vouch.cannot).waitFor(),
        ({ tab }) => assertAbsent(tab.getByRole('button', { name: actions.vouch })),
      ],
    },
    { screen: 'app', variant: 'app-blocked', role: 'auditor', steps: openApp(blocked) },
    {
      screen: 'app',
      variant: 'app-gone',
      steps: [({ browser }) => Promise.resolve(browser.expectRefusals('404')), open(`/apps/${ID}7`)],
    },
    { screen: 'app', variant: 'app-vouch', steps: [...openApp(pills), pressAll(actions.vouch)] },
    {
      screen: 'app',
      variant: 'app-block',
      steps: [
        answerWith('**/v1/organizations/*/clients/*', 200, counted),
        ({ tab }) =>
          tab.route('**/v1/organizations/*/clients/*', (route) =>
            route.request().method() === 'GET' ? route.fulfill({ json: pills }) : route.fallback(),
          ),
        open(`/apps/${pills.id}`),
        pressAll(actions.block),
        async ({ tab }) => tab.getByText(en.apps.block.inLog).waitFor(),
      ],
    },
    { screen: 'app', variant: 'app-unblock', steps: [...openApp(blocked), pressAll(actions.unblock)] },
  ];
}
