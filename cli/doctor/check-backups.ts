import fs from 'node:fs';
import path from 'node:path';
import { readBackupManifest } from '../../server/platform/backup/restore-backup.ts';
import { failed, ok, skipped, warning, type Finding } from './finding.ts';

const HOUR_MS = 3_600_000;

/** A daily backup that took two hours. */
const MAX_AGE_HOURS = 26;

/** Checks the newest backup in a folder: whether it opens, and how old it is. */
export async function checkBackups(folder: string | undefined, now: Date): Promise<Finding> {
  if (folder === undefined)
    return skipped('backup', 'Where backups are is not known; name their folder with --backups.');
  const REMEDY = 'Let a timer run npx chartgate backup every day.';
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.zip')) : [];
  const newest = files
    .map((name) => path.join(folder, name))
    .toSorted((one, other) => fs.statSync(other).mtimeMs - fs.statSync(one).mtimeMs)[0];
  if (newest === undefined) return failed('backup', `There is no backup in ${folder}.`, REMEDY);
  try {
    const { takenAt } = await readBackupManifest(newest);
    const hours = Math.floor((now.getTime() - new Date(takenAt).getTime()) / HOUR_MS);
    return hours <= MAX_AGE_HOURS
      ? ok('backup', `The newest backup is ${hours} hours old.`)
      : warning('backup', `The newest backup is ${hours} hours old.`, REMEDY);
  } catch {
    return failed('backup', `${newest} is no complete backup.`, REMEDY);
  }
}
