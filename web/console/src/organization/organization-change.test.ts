import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pickChanged } from '../kit/pick-changed.ts';
import { buildChange, type OrganizationData, readChoices, readValues } from './organization-change.ts';

const STORED = {
  displayName: 'Riverside',
  publicName: null,
  contact: { name: 'Ana', email: null, phone: '+1 555 0100' },
  faultAddresses: ['a@clinic.example', 'b@clinic.example'],
  languages: ['en', 'es'],
  timeZone: 'UTC',
  onlyVouchedApps: true,
  noNewRegistrations: false,
} as unknown as OrganizationData;

const [values, choices] = [readValues(STORED), readChoices(STORED)];
const before = buildChange(values, choices);

it('sends nothing of an organization that nobody changed', () => {
  assert.deepEqual(pickChanged(before, buildChange(values, choices)), {});
});

it('sends a new telephone number without the safety switches', () => {
  const after = buildChange({ ...values, 'contact.phone': '+1 555 0222' }, choices);
  assert.deepEqual(pickChanged(before, after), {
    contact: { name: 'Ana', email: null, phone: '+1 555 0222' },
  });
});

it('takes back what was emptied', () => {
  const after = buildChange({ ...values, displayName: ' ', faultAddresses: '' }, choices);
  assert.deepEqual(pickChanged(before, after), { displayName: null, faultAddresses: null });
});
