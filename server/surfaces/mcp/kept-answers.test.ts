import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import type { ConsentedAccess } from '../../consent/access/record-access.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import type { OpenAuditEntry } from '../../platform/audit/append.ts';
import type { Db } from '../../platform/db/db.ts';
import { StoreError } from '../../platform/db/store-error.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { TOOLS_BY_NAME } from './tools/tools.ts';

const tool = TOOLS_BY_NAME.get('get_conditions');
assert.ok(tool);

const answerBehind = (error: Error) => {
  const db = { query: () => Promise.reject(error) } as unknown as Db;
  const audit = { toOpenRow: (entry: OpenAuditEntry) => ({ ...entry, entry_id: '1' }) as never };
  const answerFromKept = createKeptAnswers({ db, clock: systemClock, audit });
  return answerFromKept({} as ConsentedAccess, { tool, input: {}, entry: {} as OpenAuditEntry });
};

const failWith = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('refused', 1, 'error'), { code });

it('leaves a call to the way of any other where the store refused the statement', async () => {
  assert.equal(await answerBehind(failWith('42P01')), null);
  assert.equal(await answerBehind(failWith('22P05')), null);
});

it('asks nothing again of a store that is away or slow, and may have written the entry', async () => {
  for (const error of [
    new StoreError('unknown', new Error('lost')),
    new StoreError('full', null),
    failWith('57014'),
  ])
    await assert.rejects(answerBehind(error), error);
});
