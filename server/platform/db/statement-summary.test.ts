import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarizeStatement } from './statement-summary.ts';

describe('the summary of a statement', () => {
  for (const [text, summary] of [
    ['select 1', 'SELECT'],
    ['select a.x from patient a join enrollment e using (patient_id)', 'SELECT patient enrollment'],
    [
      '\n  select x from unnest($1::uuid[]) k(id) cross join lateral (select from job j limit 1) due',
      'SELECT job',
    ],
    ['insert into job (job_id) values ($1) on conflict (kind) do update set kind = $1', 'INSERT job'],
    ['select from job for update skip locked', 'SELECT job'],
    [
      'with due as materialized (select * from webhook_delivery), gone(id) as (delete from job returning 1) update consent c set x = 1 from due',
      'DELETE job UPDATE consent',
    ],
    [
      'with gate as (select from consent) select * from gate join resource using (patient_id)',
      'SELECT consent resource',
    ],
    [
      "-- from secret\nselect note_of($1) from passage_texts($2) join passage p on p.body = 'x'",
      'SELECT passage',
    ],
    ['lock table patient in share mode', 'LOCK'],
    ['transaction', 'TRANSACTION'],
  ] as const)
    it(`is "${summary}" of ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.equal(summarizeStatement(text), summary));
});
