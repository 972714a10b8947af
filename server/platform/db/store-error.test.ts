import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { isUndone, StoreError, toStoreError } from './store-error.ts';

const buildServerError = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('an error of the server', 0, 'error'), { code });

const buildSystemError = (code: string): Error => Object.assign(new Error(code), { code });

const findOutcome = (error: unknown): string | null => {
  const made = toStoreError(error, 'unknown');
  return made instanceof StoreError ? made.outcome : null;
};

describe('an error of the store', () => {
  it('says that nothing was changed where the statement cannot have begun', () => {
    for (const error of [
      ...['25006', '53300', '57P03', '28000', '28P01', '3D000', '42501'].map(buildServerError),
      ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map(buildSystemError),
      ...['ENOENT', 'EACCES', 'ETIMEDOUT'].map((code) =>
        Object.assign(buildSystemError(code), { syscall: 'connect' }),
      ),
      ...[
        'CERT_HAS_EXPIRED',
        'CERT_NOT_YET_VALID',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        'SELF_SIGNED_CERT_IN_CHAIN',
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ].map(buildSystemError),
      new Error('The server does not support SSL connections'),
      new Error('timeout exceeded when trying to connect'),
      new Error('Client was closed and is not queryable'),
    ])
      assert.equal(findOutcome(error), 'unchanged', error.message);
  });

  it('says that the outcome is unknown where the connection was lost meanwhile', () => {
    for (const error of [
      ...['57P01', '57P05', '25P03', '08006'].map(buildServerError),
      ...['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT'].map(buildSystemError),
      new Error('Connection terminated unexpectedly'),
    ])
      assert.equal(findOutcome(error), 'unknown', error.message);
  });

  it('is one that may be tried again where the server undid a statement, and no fault of the connection', () => {
    for (const code of ['57014', '55P03', '40001', '40P01']) {
      assert.equal(findOutcome(buildServerError(code)), null);
      assert.equal(isUndone(buildServerError(code)), true);
    }
    assert.equal(isUndone(buildServerError('23505')), false);
    assert.equal(findOutcome(buildSystemError('ENOENT')), null);
  });
});
