import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { sweepAfterThread, sweepTemporaryFolders, createTemporaryFolder } from './temporary-folder.ts';

describe('temporary folders', () => {
  it('are swept after killed processes, not those of living ones', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const left = path.join(os.tmpdir(), `chartgate-${pid}-upload-abc`);
    fs.mkdirSync(left);
    fs.writeFileSync(path.join(left, 'archive.zip'), 'a record');
    const mine = await createTemporaryFolder('upload');
    await sweepTemporaryFolders();
    assert.equal(fs.existsSync(left), false);
    assert.equal(fs.existsSync(mine), true);
    fs.rmdirSync(mine);
  });

  it('are swept after a thread that ended, not those of others', async () => {
    const [mine, others] = [await createTemporaryFolder('upload'), await createTemporaryFolder('nested')].map(
      (folder, index) => {
        const named = folder.replace(`-${process.pid}-0-`, `-${process.pid}-${index + 7}-`);
        fs.renameSync(folder, named);
        fs.writeFileSync(path.join(named, 'archive.zip'), 'a record');
        return named;
      },
    ) as [string, string];
    await sweepAfterThread(7);
    assert.deepEqual([mine, others].map(fs.existsSync), [false, true]);
    fs.rmSync(others, { recursive: true });
  });
});
