import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseClientAbout } from './client-about.ts';

const parse = (more: object) => parseClientAbout({ redirect_uris: [], ...more });

describe('what a client says about itself', () => {
  it('is kept where a person can follow it', () => {
    const kept = {
      client_uri: 'https://agent.example',
      policy_uri: 'https://agent.example/privacy?lang=en#top',
      tos_uri: 'https://legal.agent.example/terms',
      contacts: ['help@agent.example'],
    };
    assert.deepEqual(parse({ ...kept, logo_uri: 'https://agent.example/logo.png' }), {
      clientUri: 'https://agent.example/',
      policyUri: kept.policy_uri,
      tosUri: kept.tos_uri,
      contacts: kept.contacts,
    });
  });

  for (const uri of [
    'javascript:alert(1)',
    'data:text/html,hello',
    'http://agent.example/privacy',
    'https://bank.example@agent.example/',
    'https://192.0.2.1/',
    'https://3232235777/',
    'https://[::1]/',
    'https://localhost/',
    'https://localhost./',
    '//agent.example/',
    'privacy',
    '',
    `https://agent.example/${'x'.repeat(1000)}`,
    `https://agent.example/${'ä'.repeat(300)}`,
  ])
    it(`is not ${uri.slice(0, 50)}`, () => {
      assert.equal(parse({ client_uri: uri, policy_uri: uri, tos_uri: uri }), null);
    });

  it('shows a host of other letters as it is in the address', () => {
    assert.equal(parse({ client_uri: 'https://аpple.example/' })?.clientUri, 'https://xn--pple-43d.example/');
  });

  it('names at most three contacts, which are addresses of e-mail', () => {
    const contacts = [
      'a@b.example',
      '<b>x</b>',
      'аdmin@b.example',
      'c@b.example',
      'd@b.example',
      'e@b.example',
    ];
    assert.deepEqual(parse({ contacts })?.contacts, ['a@b.example', 'c@b.example', 'd@b.example']);
    assert.equal(parse({ contacts: ['+1 555 0100'] }), null);
  });
});
