import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { describeStoreError, explainConnectionError } from './database-fault.ts';
import { StoreError } from './store-error.ts';

const URL_OF_STORE = 'postgres://chartgate:secret@db.example:5432/records';
const refuse = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('too many connections for role "chartgate"', 1, 'error'), { code });

describe('a store that goes away while the service starts', () => {
  it('is said with why, and with what gives it connections', () => {
    const fault = describeStoreError(URL_OF_STORE, new StoreError('unchanged', refuse('53300'))) ?? '';
    assert.match(fault, /^DATABASE_URL must name .*: records at db\.example:5432 does not, because /);
    assert.match(fault, /no connection left \(53300\); each process .* up to 19: raise "connection limit"/);
    assert.doesNotMatch(fault, /secret|chartgate/);
    const starting = describeStoreError(URL_OF_STORE, new StoreError('unchanged', refuse('57P03')));
    assert.match(starting ?? '', /because the server is starting up \(57P03\)$/);
  });

  it('is no other error', () => {
    assert.equal(describeStoreError(URL_OF_STORE, refuse('23505')), null);
    assert.equal(describeStoreError(URL_OF_STORE, new StoreError('full', refuse('53100'))), null);
  });
});

describe('a certificate that is not taken', () => {
  it('is said by the text, where a library gave the error a code of its own', () => {
    for (const [text, reason] of [
      ['certificate has expired', 'its certificate has expired'],
      [
        "Hostname/IP does not match certificate's altnames: Host: mail",
        'its certificate is for another name',
      ],
      ['self-signed certificate in certificate chain', 'its certificate is not trusted'],
      ['unable to verify the first certificate', 'its certificate is not trusted'],
    ] as const)
      assert.equal(
        explainConnectionError(Object.assign(new Error(text), { code: 'ESOCKET' })),
        `${reason} (ESOCKET)`,
      );
  });
});
