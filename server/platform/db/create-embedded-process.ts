import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

/** The process of `createEmbeddedStore`; its only argument is the data directory. */
const [, , dataDirectory = ''] = process.argv;
const db = await openEmbedded({
  dataDirectory,
  onFatal: () => process.exit(1),
});
await migrate(db);
await db.close();
