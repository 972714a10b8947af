import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProjectId } from '../../../../contract/brands.ts';
import type { Decision } from '../activity/decisions.ts';
import { en } from '../words/en.ts';
import { formatStillReads } from './still-reads.ts';

const NOW = new Date('2026-06-01T00:00:00Z');

const decision = (consentType: Decision['consentType'], more: Partial<Decision> = {}): Decision => ({
  kind: 'given',
  consentType,
  consentStatus: 'OPTED_IN',
  until: '2027-01-01T00:00:00Z',
  organization: { name: 'Lakeside' },
  project: { id: 'asthma' as ProjectId, name: 'ASTHMA-7', titles: { en: 'Better breath', es: null } },
  ...more,
});
const NO = decision('DATA_AUTHORIZATION', { kind: 'refused', consentStatus: 'OPTED_OUT' });
const YES = decision('PATIENT_DIRECTED_DATA_EXCHANGE');
const format = (decisions: Decision[], one = NO) =>
  formatStillReads(one, decisions, { words: en, language: 'en', now: NOW });

it('says of a no that the organization reads by another consent in force', () => {
  assert.equal(
    format([NO, YES]),
    'Lakeside can still read your record, by another yes: “Lakeside and apps you choose read your record (Better breath)”.',
  );
});

it('says nothing where the organization reads no more, or by the newest decision on the same consent', () => {
  const stopped = { ...YES, consentStatus: 'OPTED_OUT' } as const;
  assert.equal(format([stopped, NO, YES]), null, 'stopped since');
  assert.equal(format([NO, { ...YES, until: '2026-05-01T00:00:00Z' }]), null, 'ended');
  assert.equal(format([NO, { ...YES, organization: { name: 'Hill Clinic' } }]), null, 'somebody else');
  assert.equal(format([NO, decision('FUTURE_DATA_USE')]), null, 'nobody reads by it');
  assert.equal(format([decision('DATA_AUTHORIZATION'), NO, YES]), null, 'decided once more');
  assert.equal(format([YES], YES), null, 'a yes');
});
