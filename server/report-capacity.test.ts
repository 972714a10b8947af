import assert from 'node:assert/strict';
import os from 'node:os';
import { describe, it } from 'node:test';
import type { CapacityLevel } from './platform/db/store-capacity.ts';
import { describeCapacity, reportCapacity } from './report-capacity.ts';

const MIB = 1024 ** 2;
const db = { databaseUrl: undefined, dataDirectory: os.tmpdir(), reserve: { bytes: 64 * MIB } };

describe('what the store refuses for want of space', () => {
  it('is said with the setting and what it needs, of either engine', () => {
    assert.equal(describeCapacity('ample', db), null);
    assert.match(
      describeCapacity('low', db) ?? '',
      /^uploads are refused \(507 store_full\): the disk of \S+ has \d+ MiB left besides the reserve, and 512 MiB are needed, 8 times CHARTGATE_RESERVE_BYTES \(64 MiB\)$/,
    );
    assert.match(
      describeCapacity('full', db) ?? '',
      /^uploads, reads of records .* and 64 MiB are needed, as much as/,
    );
    const server = { ...db, databaseUrl: 'postgresql://keeper:hush@db.example/records' };
    const said = [describeCapacity('low', server), describeCapacity('full', server)].join('\n');
    assert.match(
      said,
      /^uploads .* of PostgreSQL has no space .*CHARTGATE_RESERVE_BYTES.*\nuploads, reads of/,
    );
    assert.doesNotMatch(said, /hush|keeper/);
  });

  it('is logged once when it begins, changes and ends', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let level: CapacityLevel = 'low';
    const lines: string[] = [];
    const write =
      (severity: string) =>
      (values: object, message: string): void =>
        void lines.push(`${severity} ${JSON.stringify(values)} ${message.split(' ').slice(0, 3).join(' ')}`);
    const log = { info: write('info'), warn: write('warn'), error: write('error') };
    const report = reportCapacity({ level: () => level }, { db, log, intervalMs: 10 });
    for (const next of ['low', 'full', 'full', 'ample', 'ample'] as const) {
      level = next;
      t.mock.timers.tick(10);
    }
    report.close();
    assert.deepEqual(lines, [
      'warn {"capacity":"low"} uploads are refused',
      'error {"capacity":"full"} uploads, reads of',
      'info {"capacity":"ample"} the store has',
    ]);
  });
});
