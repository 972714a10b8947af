import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { it } from 'node:test';
import { describeFullDisk } from './disk-space.ts';

it('an engine that stops names its disk where that is full, and no other', (t) => {
  const folder = os.tmpdir();
  const { statfsSync } = fs;
  const free = (bytes: number): void =>
    void t.mock.method(fs, 'statfsSync', (path: string) =>
      Object.assign(statfsSync(path), { bavail: bytes, bsize: 1 }),
    );
  free(3 * 1024 ** 2);
  const fault = describeFullDisk(folder) ?? '';
  assert.ok(fault.startsWith(`the disk of ${folder} has 3 MiB left: make space`), fault);
  assert.match(fault, /what was acknowledged is stored, the rest is to be done again$/);
  free(1024 ** 3);
  assert.equal(describeFullDisk(folder), null);
});
