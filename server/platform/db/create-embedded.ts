import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasEmbeddedStore } from './existing-store.ts';

const run = promisify(execFile);

export type CreatedStore = 'with schema' | 'without schema';

/**
 * Creates the embedded store, with its tables or without, in a process of its own where there is none yet. It peaks at 580 MB before
 * the service, which opens a store at 330 MB, has begun to. Where the process fails the service creates the store itself, and
 * says what is wrong.
 */
export async function createEmbeddedStore(dataDirectory: string, created: CreatedStore): Promise<void> {
  if (hasEmbeddedStore(dataDirectory)) return;
  const file = fileURLToPath(new URL('./create-embedded-process.ts', import.meta.url));
  await run(process.execPath, [file, dataDirectory, created]).catch(() => {});
}
