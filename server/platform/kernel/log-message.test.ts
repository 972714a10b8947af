import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { StoreError } from '../db/store-error.ts';
import { deserializeError, serializeError } from '../jobs/thread-messages.ts';
import { toLogMessage } from './log-message.ts';
import { Refusal } from './refusal.ts';

const tooMany = Object.assign(new pg.DatabaseError('key (email)=(anna@clinic.example)', 1, 'error'), {
  code: '53300',
});

describe('what the log says of an error', () => {
  it('is the message of one of ours with the code of its cause, from another thread too', () => {
    const error = new StoreError('unchanged', tooMany);
    assert.equal(toLogMessage(error), 'the store is away: 53300');
    assert.equal(toLogMessage(deserializeError(serializeError(error))), 'the store is away: 53300');
  });

  it('is the code alone of any other, and the reason of a refusal', () => {
    assert.equal(toLogMessage(tooMany), '53300');
    assert.equal(toLogMessage(new TypeError('Anna is not a function')), '');
    const refusal = new Refusal(503, 'secrets_key_missing', { detail: 'No.', reason: 'under the key k' });
    assert.equal(
      toLogMessage(new AggregateError([refusal, refusal], 'x')),
      'secrets_key_missing: under the key k',
    );
  });
});
