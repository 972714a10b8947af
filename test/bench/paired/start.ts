import { findFreePort } from '../../harness/postgres.ts';
import { spawnServer, waitUntilServing } from '../bench-service.ts';
import type { Workload } from './workload.ts';

const POLL_MS = 20;

/** A start with a store that has been used before, until `/readyz` says so. */
export const start: Workload = {
  name: 'start',
  // The first round fills the compile cache.
  warmsUp: true,
  async open(contender) {
    const first = await contender.start();
    await first.stop();
    const port = await findFreePort();
    let server: ReturnType<typeof spawnServer> | undefined;
    async function run(): Promise<number> {
      server = spawnServer(contender.options, port);
      await waitUntilServing(server, '/readyz', POLL_MS);
      return 1;
    }
    async function finish(): Promise<void> {
      await server?.stop();
      server = undefined;
    }
    return {
      // The service that is measured is there at the end only: all that it has used counts.
      pids: () => ({ service: server?.process.pid, database: contender.databasePid }),
      rows: new Map([['until /readyz answers', { run, finish }]]),
    };
  },
};
