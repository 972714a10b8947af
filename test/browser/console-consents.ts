import fs from 'node:fs';
import path from 'node:path';
import { buildScopesWithout, recordConsentWithScreenshots } from '../harness/consent-record.ts';
import { ROOT } from '../harness/process.ts';
import { newTestPatient, setProjectContent } from '../harness/service.ts';
import { consoleEn as en } from '../harness/words.ts';
import {
  answerWith,
  open,
  pressAll,
  type ConsoleFixtures,
  type ConsoleScreen,
  type ConsoleStep,
} from './console-screens.ts';

/** Two decisions of one patient. */
interface Decisions {
  first: string;
  second: string;
}

let recorded: Promise<Decisions> | undefined;

const readPicture = (name: string): Buffer => fs.readFileSync(path.join(ROOT, 'docs/pictures', name));

async function recordDecisions({ service }: ConsoleFixtures): Promise<Decisions> {
  await setProjectContent(service, {
    en: {
      title: 'Asthma and air in the valley',
      purpose: 'We compare how people breathe with the air they live in.',
      risks: 'We keep what we have read.',
    },
  });
  const patient = await newTestPatient(service, { consent: false });
  const at = (seconds: number): string =>
    new Date(service.clock.now().getTime() + seconds * 1000).toISOString();
  const { consentRecordId: first } = await recordConsentWithScreenshots(service, patient, {
    images: [readPicture('review-choices.png'), readPicture('review-second-app.png')],
    stats: {
      sessionLength: 95,
      interactions: [
        { screen: 'who-is-this', action: 'confirm', at: at(-5) },
        { screen: 'review', action: 'allow', at: at(0) },
      ],
    },
  });
  const { consentRecordId: second } = await recordConsentWithScreenshots(service, patient, {
    scopes: buildScopesWithout(['LABS', 'CLINICAL_NOTES', 'HIV_OR_STI']),
    language: 'es',
    representative: { name: 'Kim Larsen', authority: 'parent' },
    images: [readPicture('review-again-es.png')],
  });
  return { first, second };
}

const withDecisions =
  (run: (decisions: Decisions) => ConsoleStep): ConsoleStep =>
  async (context) =>
    run(await (recorded ??= recordDecisions(context.fixtures)))(context);

const openDecision = withDecisions(({ first }) => open(`/consents/${first}`));
const { detail } = en.consents;
/** Presses the button of the banner. */
const show: ConsoleStep = (context) => pressAll(detail.show)(context);

/** A picture that is another than the one whose hash the receipt names. */
const alterPictures: ConsoleStep = ({ tab }) =>
  tab.route('**/consent-records/*', async (route) => {
    const response = await route.fetch();
    const opened = (await response.json()) as { screenshots: { data: string }[] };
    for (const screenshot of opened.screenshots)
      screenshot.data = readPicture('receipt.png').toString('base64');
    await route.fulfill({ json: opened });
  });

/** The consents pages in each of their states; a function, since the table imports it while it is made. */
export const listConsentScreens = (): readonly ConsoleScreen[] => [
  { screen: 'consents', steps: [withDecisions(() => open('/consents'))] },
  { screen: 'consents', variant: 'consents-filtered', steps: [open('/consents?state=expired&language=es')] },
  {
    screen: 'consents',
    variant: 'consents-empty',
    steps: [answerWith('**/consent-records?**', 200, { results: [], next: null }), open('/consents')],
  },
  {
    screen: 'consents',
    variant: 'consents-error',
    steps: [
      // It is asked for once more by itself.
      ({ browser }) => Promise.resolve(browser.expectRefusals('503')),
      answerWith('**/consent-records?**', 503, { code: 'unavailable' }),
      open('/consents'),
      ({ tab }) => tab.getByRole('button', { name: en.common.tryAgain }).waitFor(),
    ],
  },
  {
    screen: 'consents',
    variant: 'consents-charts',
    steps: [withDecisions(() => open('/consents?tab=charts'))],
  },
  {
    screen: 'consents',
    variant: 'consents-pages',
    steps: [withDecisions(() => open('/consents?tab=pages'))],
  },
  { screen: 'no-permission', variant: 'consents-developer', role: 'developer', steps: [open('/consents')] },
  { screen: 'consent', steps: [openDecision] },
  { screen: 'consent', variant: 'consent-shown', steps: [openDecision, show] },
  { screen: 'consent', variant: 'consent-altered', steps: [alterPictures, openDecision, show] },
  {
    screen: 'consent',
    variant: 'consent-compared',
    steps: [withDecisions(({ first, second }) => open(`/consents/${second}?with=${first}`)), show],
  },
  {
    screen: 'consent',
    variant: 'consent-gone',
    steps: [
      answerWith('**/consent-records/*', 404, { code: 'not_found' }),
      open('/consents/00000000-0000-4000-8000-000000000000'),
      show,
    ],
  },
];
