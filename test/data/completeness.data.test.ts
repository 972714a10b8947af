import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isLong } from '../harness/long.ts';
import { listDevelopmentRecords } from './development-records.ts';
import type { FoundFact } from './facts/find-facts.ts';
import { measureRecord } from './facts/measure-record.ts';
import { excuse } from './facts/reasons.ts';
import { importRecord } from './imported-records.ts';
import { skip } from './sample-data.ts';

interface Before {
  tokens: Record<string, number>;
  facts: Record<string, number>;
}

/** Tokens by tool, and facts found by type, of each record at the version before (commit 195c20d). */
const BEFORE = JSON.parse(readFileSync(join(import.meta.dirname, 'measures-before.json'), 'utf8')) as Record<
  string,
  Before
>;

/** Records of each kind of exporter that are imported in no time; the long form reads all. */
const FEW = /^(probes|archives\/06|ccda\/(cerner|emerge)|.*(Zandra428|Carin Kerluke|Devin82))/;

const sum = (numbers: Record<string, number>): number =>
  Object.values(numbers).reduce((total, each) => total + each, 0);

describe('the texts of the tools over whole records', { skip }, () => {
  const total = { before: 0, now: 0 };
  const found: FoundFact[] = [];

  for (const record of skip ? [] : listDevelopmentRecords()) {
    if (!isLong && !FEW.test(record.name)) continue;
    it(`say all that the resources state: ${record.name}`, async () => {
      const imported = await importRecord(record);
      const measures = await measureRecord(imported.callTool, await imported.readResources());
      const missing = measures.facts
        .filter((each) => each.finding === 'missing' && excuse(each) === undefined)
        .map(
          ({ resource, fact }) =>
            `${resource.type}/${resource.id} ${fact.field}: ${fact.wordings.join(' | ')}`,
        );
      found.push(...measures.facts);
      total.before += sum(BEFORE[record.name]?.tokens ?? {});
      total.now += sum(measures.tokens);
      assert.deepEqual(missing, []);
      const counts = countFound(measures.facts);
      for (const [type, count] of Object.entries(BEFORE[record.name]?.facts ?? {}))
        assert.ok((counts[type] ?? 0) >= count, `${counts[type] ?? 0} facts of ${type}, ${count} before`);
    });
  }

  it('are at most half as long as before', (test) => {
    test.diagnostic(`${total.now} tokens, ${total.before} before`);
    assert.ok(total.now <= total.before / (isLong ? 2 : 1.5), `${total.now} of ${total.before} tokens`);
  });

  it('are complete by type', (test) => {
    for (const [type, facts] of Map.groupBy(found, ({ resource }) => resource.type)) {
      const shown = facts.filter(({ finding }) => finding !== 'missing').length;
      const percentage = ((100 * shown) / facts.length).toFixed(1);
      test.diagnostic(`${type}: ${shown} of ${facts.length} facts, ${percentage} %`);
    }
    assert.ok(found.length > 0);
  });
});

function countFound(facts: readonly FoundFact[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { resource, finding } of facts)
    if (finding !== 'missing') counts[resource.type] = (counts[resource.type] ?? 0) + 1;
  return counts;
}
