import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

const NAME = /^chartgate-(\d+)-/;

const buildPrefix = (thread: number): string => `chartgate-${process.pid}-${thread}-`;

/** A folder for this process's owner alone (mkdtemp: 0700), named after process and thread so that it can be swept. */
export const createTemporaryFolder = (purpose: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `${buildPrefix(threadId)}${purpose}-`));

/** Removes what a thread of this process left that was ended at work. */
export const sweepAfterThread = (thread: number): Promise<void> =>
  removeFolders(listFolders().filter((name) => name.startsWith(buildPrefix(thread))));

/** Removes what killed processes left: health records lie in it. Returns how many folders. */
export async function sweepTemporaryFolders(): Promise<number> {
  const left = listFolders().filter((name) => {
    const pid = NAME.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  await removeFolders(left);
  return left.length;
}

const listFolders = (): string[] => readdirSync(tmpdir());

async function removeFolders(names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(tmpdir(), name), { recursive: true, force: true });
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
