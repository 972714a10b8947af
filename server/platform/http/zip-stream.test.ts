import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromBufferPromise, type Entry } from 'yauzl';
import { createZipStream, type ZipEntry } from './zip-stream.ts';

const DAY = new Date('2026-11-20T00:00:00Z');

async function* these(...members: [path: string, bytes: ZipEntry['bytes']][]): AsyncGenerator<ZipEntry> {
  for (const [path, bytes] of members) yield { path, modified: DAY, bytes };
}

/** An endless entry, which counts what was read of it and records whether it was closed. */
function endless(): { bytes: AsyncGenerator<Buffer>; state: { given: number; released: boolean } } {
  const state = { given: 0, released: false };
  const bytes = (async function* () {
    try {
      for (;;) {
        await sleep(0);
        state.given++;
        yield randomBytes(64 * 1024);
      }
    } finally {
      state.released = true;
    }
  })();
  return { bytes, state };
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await sleep(5);
}

describe('a streamed archive', () => {
  it('opens, and holds each entry as it was', async () => {
    const big = randomBytes(300_000);
    const archive = createZipStream(
      these(['a.txt', ['first ', 'second']], ['empty', []], ['b/c.bin', [big]]),
    );
    const zip = await fromBufferPromise(
      Buffer.concat(await Array.fromAsync(archive as AsyncIterable<Buffer>)),
    );
    const found: Record<string, Buffer> = {};
    for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
      const stream = await zip.openReadStreamPromise(entry);
      found[entry.fileName] = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
    }
    assert.deepEqual(found, {
      'a.txt': Buffer.from('first second'),
      empty: Buffer.alloc(0),
      'b/c.bin': big,
    });
  });

  it('reads its entries no further than its client reads the archive', async () => {
    const { bytes, state } = endless();
    const archive = createZipStream(these(['a', bytes]));
    await until(() => state.given > 0);
    // Until it reads no more; who reads on without end is seen by that.
    for (let quiet = 0, before = 0; quiet < 40 && state.given < 50; quiet++) {
      if (state.given > before) quiet = 0;
      before = state.given;
      await sleep(10);
    }
    assert.ok(state.given < 50, `${state.given} chunks of 64 KiB`);
    archive.destroy();
  });

  it('closes its entries when its client goes away', async () => {
    const { bytes, state } = endless();
    let released = false;
    const members = (async function* (): AsyncGenerator<ZipEntry> {
      try {
        yield { path: 'a', modified: DAY, bytes };
      } finally {
        released = true;
      }
    })();
    const archive = createZipStream(members);
    await once(archive, 'readable');
    archive.destroy();
    await until(() => state.released && released);
  });

  it('breaks off when an entry fails', async () => {
    const failing = (async function* () {
      yield 'half';
      await sleep(0);
      throw new Error('the store is gone');
    })();
    const archive = createZipStream(these(['a', ['whole']], ['b', failing]));
    await assert.rejects(Array.fromAsync(archive as AsyncIterable<Buffer>), /the store is gone/);
  });
});
