import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  buildChange,
  type Fields,
  type OrganizationData,
  readChoices,
  readValues,
} from './organization-change.ts';

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

const build = (written: Partial<Fields>, now: Partial<OrganizationData> = {}) =>
  buildChange(
    { ...readValues(STORED), ...readChoices(STORED), ...written },
    { before: STORED, now: { ...STORED, ...now } },
  );

it('sends nothing of an organization that nobody changed', () => {
  assert.deepEqual(build({}), {});
});

it('sends a new telephone number without the safety switches', () => {
  assert.deepEqual(build({ 'contact.phone': '+1 555 0222' }), {
    contact: { name: 'Ana', email: null, phone: '+1 555 0222' },
  });
});

it('takes back what was emptied', () => {
  assert.deepEqual(build({ displayName: ' ', faultAddresses: '' }), {
    displayName: null,
    faultAddresses: null,
  });
});

it('keeps what a colleague has changed of the contact since the form was filled', () => {
  const contact = { name: 'Ana', email: 'help@clinic.example', phone: '+1 555 0100' };
  assert.deepEqual(build({ 'contact.phone': '+1 555 0222' }, { contact }), {
    contact: { ...contact, phone: '+1 555 0222' },
  });
});

it('refuses to undo what a colleague has changed of the same field', () => {
  const contact = { name: 'Ana', email: null, phone: '+1 555 0333' };
  assert.throws(() => build({ 'contact.phone': '+1 555 0222' }, { contact }), { code: 'changed_meanwhile' });
});
