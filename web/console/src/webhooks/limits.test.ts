import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_SOURCES } from '../../../../contract/organization/sources.ts';
import * as contract from '../../../../contract/webhooks/webhooks.ts';
import { sources as sourcesInEnglish } from '../sources/words/en.ts';
import { sources as sourcesInSpanish } from '../sources/words/es.ts';
import { MAX_SECRETS } from './max-secrets.ts';
import { webhooks as inEnglish } from './words/en.ts';
import { webhooks as inSpanish } from './words/es.ts';

it('are said on the console as the contract has them', () => {
  for (const { form } of [inEnglish, inSpanish])
    assert.match(form.tooMany, new RegExp(`\\b${contract.MAX_WEBHOOKS}\\b`));
  for (const { form } of [sourcesInEnglish, sourcesInSpanish])
    assert.match(form.tooMany, new RegExp(`\\b${MAX_SOURCES}\\b`));
  assert.equal(MAX_SECRETS, contract.MAX_SECRETS);
  // Written out: "Five secrets are in use."
  assert.equal(MAX_SECRETS, 5);
});
