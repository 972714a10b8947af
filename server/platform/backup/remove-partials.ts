import { open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { nameTableMember } from './backup-format.ts';

/** A backup that is being written is written on within seconds; one that has been still for so long was killed. */
const STILL_MS = 3_600_000;

/** Where the name of a zip's first member begins. */
const FIRST_NAME_AT = 30;
const FIRST_NAME = path.dirname(nameTableMember(''));

export const namePartial = (name: string): string => `${name}.partial`;

/** Removes what killed backups left in the folder of a backup: it holds records. What cannot be removed stays, as what is no backup. */
export async function removePartials(name: string, now: Date): Promise<void> {
  const folder = path.dirname(name);
  const names = await readdir(folder).catch(() => []);
  for (const each of names.filter((file) => file.endsWith(namePartial('')))) {
    const file = path.join(folder, each);
    if (await isAbandoned(file, now).catch(() => false)) await rm(file, { force: true }).catch(() => {});
  }
}

async function isAbandoned(file: string, now: Date): Promise<boolean> {
  const { mtimeMs } = await stat(file);
  return now.getTime() - mtimeMs > STILL_MS && (await beginsAsBackup(file));
}

/** Other programs name what they have not finished so, too. */
async function beginsAsBackup(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(FIRST_NAME_AT + FIRST_NAME.length), 0);
    return (
      buffer.toString('latin1', 0, 2) === 'PK' && buffer.toString('latin1', FIRST_NAME_AT) === FIRST_NAME
    );
  } finally {
    await handle.close();
  }
}
