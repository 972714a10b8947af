import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { mountSmallDisk } from '../../../test/harness/small-disk.ts';
import { copyTree } from './copy-tree.ts';

const MB = 1024 * 1024;

describe('a copy of a folder', () => {
  it('has all of its files and folders, and is never made over what is there', (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-copy-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const [store, copy] = [path.join(folder, 'store'), path.join(folder, 'copy')];
    fs.mkdirSync(path.join(store, 'base', 'empty'), { recursive: true });
    fs.writeFileSync(path.join(store, 'base', '1'), 'one');
    fs.writeFileSync(path.join(store, 'two'), '');
    copyTree(store, copy);
    assert.deepEqual(listTree(copy), listTree(store));
    assert.equal(fs.readFileSync(path.join(copy, 'base', '1'), 'utf8'), 'one');
    assert.throws(() => copyTree(store, copy), { code: 'EEXIST' });
  });

  it('is whole or fails, also where signals come while the disk becomes full', async (t) => {
    const disk = mountSmallDisk(64);
    if (disk === null) return t.skip('this user may not mount');
    t.after(() => disk.remove());
    const [store, copy] = [path.join(disk.folder, 'store'), path.join(disk.folder, 'copy')];
    fs.mkdirSync(store);
    fs.writeFileSync(path.join(store, '1'), Buffer.alloc(40 * MB));
    const ignore = (): void => {};
    process.on('SIGWINCH', ignore);
    t.after(() => process.off('SIGWINCH', ignore));
    const signals = spawn('sh', ['-c', `echo; while kill -WINCH ${process.pid} 2>&-; do :; done`]);
    try {
      await once(signals.stdout, 'data');
      for (let times = 0; times < 3; times++) {
        assert.throws(() => copyTree(store, copy), { code: 'ENOSPC' });
        fs.rmSync(copy, { recursive: true });
      }
    } finally {
      signals.kill();
      await once(signals, 'close');
    }
  });
});

const listTree = (folder: string): string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
