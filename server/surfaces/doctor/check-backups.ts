import fs from 'node:fs';
import path from 'node:path';
import { readBackupManifest } from '../../platform/backup/read-backup.ts';
import { createFinding, type Finding } from './finding.ts';

const HOUR_MS = 3_600_000;

/** A daily backup that took two hours. */
const MAX_AGE_HOURS = 26;

/** Checks the newest backup in a folder: whether it opens, and how old it is. */
export async function checkBackups(folder: string | null, now: Date): Promise<Finding> {
  if (folder === null) return createFinding('backups_unknown');
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.zip')) : [];
  const newest = files
    .map((name) => path.join(folder, name))
    .toSorted((one, other) => fs.statSync(other).mtimeMs - fs.statSync(one).mtimeMs)[0];
  if (newest === undefined) return createFinding('no_backup', { folder });
  try {
    const { takenAt } = await readBackupManifest(newest);
    const hours = Math.floor((now.getTime() - new Date(takenAt).getTime()) / HOUR_MS);
    return createFinding(hours <= MAX_AGE_HOURS ? 'backup_ok' : 'backup_old', { hours });
  } catch {
    return createFinding('backup_broken', { file: newest });
  }
}
