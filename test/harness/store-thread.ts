import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadHandle } from '../../server/platform/db/db.ts';
import { openInThread } from '../../server/platform/db/open-in-thread.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';

/** A thread that works with the store and is then closed, or dies in the middle of a transaction. */
const { access, dies } = workerData as { access: ThreadHandle['access']; dies: boolean };
const db = openInThread(access);
const { value } = await one(
  db,
  sql<{ value: string }>`select value from thread_test where key = 'from outside'`,
);
await db.tx(async (tx) => {
  await tx.query(
    sql`insert into thread_test values (${dies ? 'half' : 'from the thread'}, ${`saw ${value}`})`,
  );
  if (dies) process.exit(1);
});
await db.close();
parentPort?.close();
