import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsentReceipt } from '../../contract/organization/receipt.ts';
import { formatReceipt } from './receipt.ts';

const END = '2027-12-01T00:00:00.000Z';
const HOUR = '2026-12-01T15:47:00.000Z';

type Purpose = ConsentReceipt['pii_processing']['purposes'][number];

/** Of a consent to labs and medications with mental health. */
const format = (more: Partial<Purpose>, state: 'given' | 'withdrawn' = 'given'): string[] =>
  formatReceipt({
    iss: 'https://chartgate.example',
    iat: 1_796_000_000,
    record_id: 'record',
    pii_principal_id: 'patient',
    pii_processing: {
      privacy_notice: { title: 'Study' },
      language: 'en',
      purposes: [
        {
          purpose: 'To plan your care',
          pii_information: ['LABS', 'MEDICATIONS'].map((pii_type) => ({
            pii_type,
            sensitivity_scopes: ['NORMAL', 'MENTAL_HEALTH'],
          })),
          expiry: END,
          ...more,
        },
      ],
    },
    party_identification: [
      { party_id: 'clinic', party_role: 'pii_controller', party_name: 'Clinic' },
      { party_id: 'app', party_role: 'recipient', party_name: 'Other App' },
    ],
    event_schema: [{ event_state: state, event_time: '2026-12-01T14:47:00.000Z' }],
    evidence: { uiHash: 'page', screenshots: [] },
  } as unknown as ConsentReceipt);

const LIMITS: Purpose['recipient_limits'] = {
  party_id: 'app',
  pii_types: ['LABS'],
  sensitivity_scopes: ['NORMAL'],
  expiry: HOUR,
};
const PARTS: Purpose['parts'] = [
  { pii_types: ['LABS', 'MEDICATIONS'], sensitivity_scopes: ['MENTAL_HEALTH'], expiry: HOUR },
  { pii_types: ['LABS', 'MEDICATIONS'], sensitivity_scopes: ['NORMAL'], expiry: END },
];
const isSaid = (lines: string[], text: string): boolean => lines.some((line) => line.includes(text));

describe('what is said of a verified receipt', () => {
  it('names what the app gets, until when, and what it does not get', () => {
    const lines = format({ recipient_limits: LIMITS });
    assert.ok(isSaid(lines, `the app gets LABS (NORMAL), until ${HOUR}`));
    assert.ok(isSaid(lines, 'it does not get MEDICATIONS, MENTAL_HEALTH'));
  });

  it('names each part with its end', () => {
    const lines = format({ parts: PARTS });
    assert.ok(isSaid(lines, `until ${HOUR}: LABS, MEDICATIONS (MENTAL_HEALTH)`));
    assert.ok(isSaid(lines, `until ${END}: LABS, MEDICATIONS (NORMAL)`));
  });

  it('says neither where all of it is for all and ends together, or holds no more', () => {
    for (const lines of [format({}), format({ recipient_limits: LIMITS, parts: PARTS }, 'withdrawn')])
      assert.ok(!isSaid(lines, 'until ') && !isSaid(lines, 'the app gets'));
  });
});
