import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { readRows } from './read-backup.ts';

const MiB = 1024 ** 2;

describe('case 347: the rows of a backup that inflates to gigabytes', () => {
  /** Reads until the refusal; returns how many MiB were taken for it. */
  async function readUntilRefused(chunk: string, first = ''): Promise<number> {
    let taken = 0;
    const endless = Readable.from(
      (function* () {
        if (first !== '') yield Buffer.from(first);
        for (const bytes = Buffer.from(chunk); ; taken++) yield bytes;
      })(),
    );
    await assert.rejects(async () => {
      for await (const _ of readRows(endless));
    });
    return taken;
  }

  it('are given up at the length of the longest row', async () => {
    assert.ok((await readUntilRefused('x'.repeat(MiB), '"')) <= 160);
  });

  it('are given up at the first line that is no row', async () => {
    for (const line of ['\n', '0\n', '[]\n', '{}\n'])
      assert.ok((await readUntilRefused(line.repeat(MiB / line.length))) <= 32, JSON.stringify(line));
  });
});
