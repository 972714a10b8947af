import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whilePermitted } from './while-permitted.ts';
import { createZipStream, type ZipEntry } from './zip-stream.ts';

const MiB = 1024 * 1024;

async function* createEntries(...sizes: number[]): AsyncGenerator<ZipEntry> {
  for (const [index, size] of sizes.entries())
    yield {
      path: `${index}`,
      modified: new Date(0),
      bytes: Array.from({ length: size }, () => Buffer.alloc(MiB)),
    };
}

/** Reads an archive whose reader is refused at the given check; returns how often it was asked. */
async function readUntil(refusedAt: number, ...sizes: number[]): Promise<number> {
  let checks = 0;
  const archive = createZipStream(
    whilePermitted(createEntries(...sizes), async () => {
      if (++checks >= refusedAt) throw new Error('signed out');
    }),
  );
  for await (const _ of archive);
  return checks;
}

describe('case 565: an archive that is streamed', () => {
  it('asks every few megabytes, over all entries, and at the end whether its reader may still have it', async () => {
    assert.equal(await readUntil(Number.POSITIVE_INFINITY, 1), 1);
    assert.equal(await readUntil(Number.POSITIVE_INFINITY, 3, 3, 3), 3);
  });

  it('is broken off where they may not, also after its last byte', async () => {
    await assert.rejects(readUntil(1, 5), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    await assert.rejects(readUntil(1, 1), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });
});
