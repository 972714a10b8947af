import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientGrant, SensitivityScope } from '../../../contract/data-categories.ts';
import { renderEvidencePage } from './evidence-page.ts';

const END = '2027-12-01T00:00:00.000Z';
const HOUR = '2026-12-01T15:47:00.000Z';

const toGrant = (end: string, classes: SensitivityScope[]): ClientGrant => ({
  fullRecordWithoutRestrictedData: false,
  consentDataResourceScopes: ['LABS'],
  consentDataSensitivityScopes: classes,
  expirationTimestamp: end,
});

type Page = Parameters<typeof renderEvidencePage>[0];

async function render(more: Partial<Pick<Page['record'], 'parts' | 'grant'>>): Promise<string> {
  const record = {
    ...toGrant(END, ['NORMAL', 'MENTAL_HEALTH']),
    id: 'record',
    consentStatus: 'OPTED_IN',
    clientName: 'Other App',
    consentStats: { sessionLength: 9, interactions: [] },
    parts: null,
    grant: null,
    ...more,
  };
  const page = {
    record,
    row: {
      consent_status: 'OPTED_IN',
      consent_type: 'DATA_AUTHORIZATION',
      language: 'en',
      content: null,
      consent_types: null,
    },
    screens: [],
    log: { entries: [], omitted: 0 },
    issuer: 'https://chartgate.example',
    exportedAt: new Date(END),
  };
  const chunks: string[] = [];
  for await (const chunk of renderEvidencePage(page as unknown as Page, async function* () {}))
    chunks.push(chunk);
  return chunks.join('');
}

/** The cells of the row of mental health. */
const readRow = (html: string): string[] => {
  const [, row = ''] = /<tr><td>Mental health<\/td>(.*?)<\/tr>/.exec(html) ?? [];
  return [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => cell);
};

describe('the page of the evidence', () => {
  it('says what is covered, in one column where it is for all until one day', async () => {
    assert.deepEqual(readRow(await render({})), ['shared']);
  });

  it('says what the app gets and does not get, and until when', async () => {
    const html = await render({ grant: toGrant(HOUR, ['NORMAL']) });
    assert.deepEqual(readRow(html), ['shared', 'the app does not get it']);
    assert.ok(html.includes(`The app, until ${HOUR}`));
  });

  it('has a column for each part, with its end', async () => {
    const parts = [toGrant(HOUR, ['MENTAL_HEALTH']), toGrant(END, ['NORMAL'])];
    const html = await render({ parts });
    assert.deepEqual(readRow(html), ['shared', 'not shared']);
    for (const end of [HOUR, END]) assert.ok(html.includes(`<th scope="col">Until ${end}</th>`));
  });
});
