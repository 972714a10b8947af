import fs from 'node:fs';

/**
 * Loaded before a process (`--import`, which also reaches its worker threads) to see and to break what the embedded
 * engine does to force data to disk. FSYNC_SHOWN: prints a line for each fsync. FSYNC_FAILS: while that file exists
 * every fsync fails as on a broken disk. FSYNC_UNPATCHED: the engine's file system stays as it is published.
 */
const { FSYNC_SHOWN: shown, FSYNC_FAILS: fails, FSYNC_UNPATCHED: unpatched } = process.env;

const { fsyncSync } = fs;
fs.fsyncSync = (handle) => {
  if (fails !== undefined && fs.existsSync(fails))
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  fsyncSync(handle);
  if (shown !== undefined) fs.writeSync(1, 'forced\n');
};

if (unpatched !== undefined) {
  const { NodeFS } = await import('@electric-sql/pglite/nodefs');
  const { DurableNodeFS } = await import('../../server/platform/db/durable-fs.ts');
  DurableNodeFS.prototype.init = NodeFS.prototype.init;
}
