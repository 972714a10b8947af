import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

/** The process of `createEmbeddedStore`; its arguments are the data directory, and whether the store gets tables. */
const [, , dataDirectory = '', created] = process.argv;
// The pipe ends with the service, which may be killed: the next one must find the data directory free.
process.stdin.once('end', () => process.kill(process.pid, 'SIGKILL')).resume();
const db = await openEmbedded({
  dataDirectory,
  onFatal: () => process.exit(1),
});
if (created !== 'without schema') await migrate(db);
await db.close();
process.exit(0);
