import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

const NAME = /^chartgate-(\d+)-/;

const buildPrefix = (thread: number): string => `chartgate-${process.pid}-${thread}-`;

/** Creates a folder that only the owner can access (mkdtemp: 0700), named by process and thread so that it can be swept. */
export const createTemporaryFolder = (purpose: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `${buildPrefix(threadId)}${purpose}-`));

/** Removes the folders of a thread of this process that was terminated. */
export const sweepAfterThread = (thread: number): Promise<void> =>
  removeFolders(listFolders().filter((name) => name.startsWith(buildPrefix(thread))));

/** Removes the folders of killed processes, which hold health records. Returns how many. */
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
    // A process of another user is alive, too.
    return (error as { code?: string }).code === 'EPERM';
  }
}
