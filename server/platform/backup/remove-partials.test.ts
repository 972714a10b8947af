import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { createArchive } from '../../../test/harness/archive.ts';
import { removePartials } from './remove-partials.ts';

it('a backup removes what killed ones left in its folder an hour ago or before, and nothing else', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-partials-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const now = new Date();
  const backup = await createArchive({ 'tables/account.jsonl': '', 'manifest.json': '{}' });
  const write = (name: string, bytes: Buffer | string, hours: number): void => {
    fs.writeFileSync(path.join(folder, name), bytes);
    const time = new Date(now.getTime() - hours * 3_600_000);
    fs.utimesSync(path.join(folder, name), time, time);
  };
  write('yesterday.zip.partial', backup, 24);
  write('running.zip.partial', backup, 0.5);
  write('done.zip', backup, 24);
  write('download.zip.partial', await createArchive({ 'a.txt': 'a' }), 24);
  write('short.partial', 'PK', 24);
  fs.mkdirSync(path.join(folder, 'folder.partial'));
  await removePartials(path.join(folder, 'today.zip'), now);
  assert.deepEqual(fs.readdirSync(folder).sort(), [
    'done.zip',
    'download.zip.partial',
    'folder.partial',
    'running.zip.partial',
    'short.partial',
  ]);
  await removePartials(path.join(folder, 'absent', 'today.zip'), now);
});
