import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../harness/chromium.ts';
import { DESKTOP, NARROW, screenshot } from '../harness/page.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { createInspector } from './axe.ts';

/** Requests a minute: more than the test of all pages makes. */
const RATE_LIMIT = 30;

let service: TestService;
let chromium: Browser;
before(async () => {
  [service, chromium] = await Promise.all([
    startTestService({ environment: { CHARTGATE_OAUTH_RATE_LIMIT: String(RATE_LIMIT) } }),
    openChromium(),
  ]);
});
after(() => service.stop());

interface Fault {
  name: string;
  status: number;
  title: Record<'en' | 'es', string>;
  open(tab: Page): Promise<number | undefined>;
}

const navigate =
  (path: string) =>
  async (tab: Page): Promise<number | undefined> =>
    (await tab.goto(service.baseUrl + path))?.status();

/** A form of somebody else's page. */
async function submitForm(tab: Page): Promise<number | undefined> {
  await tab.goto('about:blank');
  await tab.setContent(`<form method="post" action="${service.baseUrl}/oauth/authorize"><button>Go</button>`);
  const answer = tab.waitForResponse((response) => response.request().isNavigationRequest());
  await tab.getByRole('button').click();
  const status = (await answer).status();
  await tab.waitForLoadState();
  return status;
}

async function openByPost(tab: Page): Promise<number | undefined> {
  await tab.route('**/oauth/authorize', (route) => route.continue({ method: 'POST' }), { times: 1 });
  return navigate('/oauth/authorize')(tab);
}

const NOT_IN_ORDER = { en: 'This request is not in order', es: 'La solicitud no es correcta' };
const NOT_COMPLETED = { en: 'This cannot be completed here', es: 'No se puede completar aquí' };
const NOT_ANSWERED = { en: 'We cannot answer this link', es: 'No podemos responder a este enlace' };

/** What a person may meet on the way to the consent page and back. */
const FAULTS: readonly Fault[] = [
  { name: 'no-parameters', status: 400, title: NOT_IN_ORDER, open: navigate('/oauth/authorize') },
  {
    name: 'unknown-client',
    status: 400,
    title: { en: 'We do not know this app', es: 'No conocemos esta aplicación' },
    open: navigate('/oauth/authorize?client_id=01999999-0000-7000-8000-000000000000'),
  },
  {
    name: 'malformed-query',
    status: 400,
    title: NOT_IN_ORDER,
    open: navigate('/oauth/authorize?client_id=%ff'),
  },
  { name: 'malformed-path', status: 400, title: NOT_IN_ORDER, open: navigate('/oauth/authorize%ff') },
  {
    name: 'unknown-request',
    status: 400,
    title: NOT_COMPLETED,
    open: navigate(`/oauth/complete/${'A'.repeat(32)}`),
  },
  { name: 'no-request', status: 400, title: NOT_COMPLETED, open: navigate('/oauth/complete/%20') },
  {
    name: 'malformed-request',
    status: 400,
    title: NOT_COMPLETED,
    open: navigate(`/oauth/complete/${'x'.repeat(300)}`),
  },
  { name: 'posted', status: 405, title: NOT_IN_ORDER, open: openByPost },
  { name: 'posted-from-elsewhere', status: 403, title: NOT_ANSWERED, open: submitForm },
  {
    name: 'nothing-there',
    status: 404,
    title: { en: 'There is nothing here', es: 'Aquí no hay nada' },
    open: navigate('/consent/none'),
  },
  {
    name: 'signed-out',
    status: 401,
    title: { en: 'You are signed out', es: 'Su sesión se ha cerrado' },
    open: navigate('/account/consents'),
  },
  {
    name: 'another-host',
    status: 403,
    title: NOT_ANSWERED,
    open: async (tab) =>
      (
        await tab.goto(`${service.baseUrl.replace('127.0.0.1', 'other.localhost')}/oauth/authorize`)
      )?.status(),
  },
  {
    name: 'too-long',
    status: 431,
    title: { en: 'This link is too long', es: 'Este enlace es demasiado largo' },
    open: navigate(`/oauth/authorize?state=${'x'.repeat(20_000)}`),
  },
];

const { listViolations } = createInspector();

const LANGUAGES = [
  ['en-US', 'en'],
  ['es-MX', 'es'],
] as const;

async function assertPage(tab: Page, { name, status, title, open }: Fault, language: 'en' | 'es') {
  assert.equal(await open(tab), status, name);
  // A request that the parser refused may be cut off before its languages: such a page is in both.
  const isInBoth = (await tab.locator('section').count()) > 1;
  const first = isInBoth ? 'en' : language;
  assert.equal(await tab.title(), title[first], name);
  assert.equal(await tab.locator('html').getAttribute('lang'), first);
  assert.equal(await tab.locator(`section[lang=${language}] h1`).innerText(), title[language], name);
  assert.ok((await tab.locator('strong').first().innerText()).length > 20, 'says what to do next');
  assert.equal(await tab.locator('a, button, form, script').count(), 0, name);
  const width = await tab.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= NARROW.width, `${name} is wider than the window`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    assert.deepEqual(
      await listViolations(tab, colorScheme === 'dark' ? 'colours' : 'all'),
      [],
      `${name} ${colorScheme}`,
    );
    for (const viewport of [NARROW, DESKTOP]) {
      await tab.setViewportSize(viewport);
      await screenshot(tab, `${name}-${language}-${colorScheme}-${viewport.width}`);
    }
    await tab.setViewportSize(NARROW);
  }
}

describe('a fault that a person meets in a browser', () => {
  const assertPages = async (faults: readonly Fault[], [locale, language]: (typeof LANGUAGES)[number]) => {
    const context = await chromium.newContext({ locale, viewport: NARROW });
    const tab = await context.newPage();
    for (const fault of faults) await assertPage(tab, fault, language);
    await context.close();
  };

  for (const language of LANGUAGES)
    it(`is an accessible page in ${language[1]}, at 320 px, in light and dark`, () =>
      assertPages(FAULTS, language));

  it('is shown by a page whose script is gone, as at a node of another version', async () => {
    const context = await chromium.newContext({ viewport: NARROW });
    const tab = await context.newPage();
    // With the style sheet, which hides the sentence for five seconds.
    await tab.route(/\.(?:js|css)$/, (route) => route.abort());
    for (const path of ['/console', '/consent']) {
      await navigate(path)(tab);
      for (const sentence of [/not loaded yet/, /todavía no se ha cargado/])
        assert.ok(await tab.getByText(sentence).isVisible(), `${path} ${sentence}`);
    }
    await context.close();
  });

  it('is JSON for a program, as it was', async () => {
    for (const [path, type] of [
      ['/oauth/authorize', 'application/json'],
      [`/oauth/complete/${'A'.repeat(32)}`, 'application/json'],
      ['/consent/none', 'application/problem+json'],
      [`/oauth/authorize?state=${'x'.repeat(20_000)}`, 'application/problem+json'],
    ] as const)
      for (const accept of ['application/json', '*/*']) {
        const answer = await fetch(service.baseUrl + path, { headers: { accept } });
        assert.equal(answer.headers.get('content-type')?.split(';')[0], type, `${path} ${accept}`);
      }
  });

  it('is a page for whoever comes too often, too', async () => {
    for (let sent = 0; sent < RATE_LIMIT; sent++) await fetch(`${service.baseUrl}/oauth/authorize`);
    const fault = {
      name: 'too-many',
      status: 429,
      title: { en: 'Too many requests', es: 'Demasiadas solicitudes' },
      open: navigate('/oauth/authorize'),
    };
    for (const language of LANGUAGES) await assertPages([fault], language);
  });
});
