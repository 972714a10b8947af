import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^chartgate-(\d+)-/;

/** A folder for this process's owner alone (mkdtemp: 0700), named after the process so that it can be swept. */
export const temporaryFolder = (purpose: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `chartgate-${process.pid}-${purpose}-`));

/** Removes what killed processes left: health records lie in it. Returns how many folders. */
export async function sweepTemporaryFolders(): Promise<number> {
  const left = readdirSync(tmpdir()).filter((name) => {
    const pid = NAME.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  for (const name of left) await rm(join(tmpdir(), name), { recursive: true, force: true });
  return left.length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive, too.
    return (error as { code?: string }).code === 'EPERM';
  }
}
