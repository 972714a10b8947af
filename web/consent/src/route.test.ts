import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildRequestFragment, parseRoute } from './route.ts';

const stateFor = (value: unknown, encoding: 'base64' | 'base64url' = 'base64url'): string =>
  Buffer.from(JSON.stringify(value)).toString(encoding);

const STUDY = '0b0e1c52-54c3-4d3a-9a3c-0d1a2b3c4d5e';

const enrollment = (state: string): string =>
  `#/patient-consent/${STUDY}/enrollment/link?oauth_state=${state}`;

const ID = 'Zm9v-YmFy_cXV4MTIzNDU2Nzg5MDEyMz';

describe('the fragment of the address leads', () => {
  const leads: [fragment: string, route: object][] = [
    ['', { to: 'start' }],
    ['#', { to: 'start' }],
    ['#/', { to: 'start' }],
    ['#/something/else', { to: 'start' }],
    ['#/my-data', { to: 'portal' }],
    ['#/my-data/', { to: 'portal' }],
    ['#/my-data?from=mail', { to: 'portal' }],
    ['#/my-data/activity', { to: 'portal' }],
    ['#/my-data/delete-account/', { to: 'portal' }],
    ['#/my-data/what-never-was', { to: 'portal' }],
    [`#/my-data/receipts/${STUDY}`, { to: 'portal' }],
    ['#/my-data/activity/more', { to: 'start' }],
    ['#/my-data-and-more', { to: 'start' }],
    ['#/account/link', { to: 'mailed-link', token: null }],
    ['#/account/link/', { to: 'mailed-link', token: null }],
    ['#/account/link/abc-123_X', { to: 'mailed-link', token: 'abc-123_X' }],
    ['#/account/link/a/b', { to: 'start' }],
    ['#/account/email', { to: 'email-link', token: null }],
    ['#/account/email/abc-123_X', { to: 'email-link', token: 'abc-123_X' }],
    [`#/patient-consent/${STUDY}/enrollment/link`, { to: 'invitation', studyId: STUDY }],
    [`#/patient-consent/${STUDY}/enrollment/link/?utm=x`, { to: 'invitation', studyId: STUDY }],
    ['#/patient-consent/some-project/enrollment/link', { to: 'broken-invitation' }],
    ['#/patient-consent//enrollment/link', { to: 'start' }],
    [`#/request/${ID}`, { to: 'request', requestId: ID }],
    ['#/request/', { to: 'start' }],
    ['#/request/a%2Fb', { to: 'broken-request' }],
    [`#/request/${'a'.repeat(65)}`, { to: 'broken-request' }],
    [enrollment(stateFor({ id: ID })), { to: 'request', requestId: ID }],
  ];
  for (const [fragment, route] of leads)
    it(`${fragment || 'that is empty'} to ${JSON.stringify(route)}`, () =>
      assert.deepEqual(parseRoute(fragment), route));

  it('to the request in either alphabet of base64 in the state', () => {
    // Encodes to both characters in which the two alphabets differ.
    const state = { id: ID, note: '??>>~~' };
    const plain = stateFor(state, 'base64').replace(/=+$/, '');
    assert.match(plain, /[+/]/);
    assert.deepEqual(parseRoute(enrollment(encodeURIComponent(plain))), { to: 'request', requestId: ID });
    assert.deepEqual(parseRoute(enrollment(stateFor(state))), { to: 'request', requestId: ID });
  });

  it('to a request by its id alone, whatever else the state holds', () => {
    const state = stateFor({ id: ID, clientName: 'Your clinic', redirectUri: 'https://evil.example' });
    assert.deepEqual(parseRoute(enrollment(state)), { to: 'request', requestId: ID });
  });

  const broken: [what: string, state: string][] = [
    ['is empty', ''],
    ['is no base64', '%%%'],
    ['is no JSON', Buffer.from('{').toString('base64url')],
    ['is null', stateFor(null)],
    ['is an array', stateFor([ID])],
    ['names nothing', stateFor({})],
    ['names a number', stateFor({ id: 1 })],
    ['names a path', stateFor({ id: '../account/link' })],
    ['names an address', stateFor({ id: 'https://evil.example' })],
    ['names nothing long', stateFor({ id: '' })],
  ];
  for (const [what, state] of broken)
    it(`to a broken request when its state ${what}`, () =>
      assert.deepEqual(parseRoute(enrollment(state)), { to: 'broken-request' }));

  it('to the request that buildRequestFragment was given', () => {
    assert.deepEqual(parseRoute(buildRequestFragment(ID)), { to: 'request', requestId: ID });
  });
});
