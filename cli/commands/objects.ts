import type { Command } from 'commander';
import { moveOriginals } from '../../server/clinical/ingest/originals/move-originals.ts';
import { movePictures } from '../../server/consent/decisions/move-pictures.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { deleteDueObjects } from '../../server/platform/objects/delete-objects.ts';
import type { Objects } from '../../server/platform/objects/objects.ts';
import { countDeletions, countObjects } from '../../server/platform/objects/objects.sql.ts';
import type { ObjectStore } from '../../server/platform/objects/s3-client.ts';
import { findMissingObjects } from '../../server/platform/objects/verify-objects.ts';
import { one } from '../../server/platform/db/db.ts';
import { printResult, withDb, withObjects } from '../with-db.ts';

interface Options {
  json?: boolean;
}

interface StoreContext {
  db: Db;
  objects: Objects;
  store: ObjectStore;
}

/** `chartgate objects`, `objects move` and `objects verify`: what is in the object store, and the way there and back. */
export function configureObjectsCommand(command: Command): void {
  const objects = command.option('--json', 'print one JSON object').action(listObjects);
  const configure = (name: string, description: string, run: (options: Options) => Promise<void>): void => {
    objects
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object')
      // `--json` also stands before the name of the command.
      .action((_: Options, subcommand: Command) => run(subcommand.optsWithGlobals()));
  };
  configure('move', 'move originals and pictures to where new ones belong by the settings', moveAll);
  configure('verify', 'ask the store for every object that the database knows', verifyAll);
}

async function listObjects(options: Options): Promise<void> {
  await withDb(async (db) => {
    const counts = await db.query(countObjects());
    const { due } = await one(db, countDeletions(systemClock.now()));
    const uses = counts.map(({ use, objects, bytes }) => ({ use, objects, bytes }));
    printResult(options, { objects: uses, deletionsDue: due }, [
      uses.length === 0 ? 'Nothing is in an object store.' : 'In the object store:',
      ...uses.map(({ use, objects, bytes }) => `  ${use.padEnd(9)}${objects} objects, ${bytes} bytes`),
      ...(due === 0 ? [] : [`To be deleted from it: ${due}`]),
    ]);
  });
}

const withStore = (work: (context: StoreContext) => Promise<void>): Promise<void> =>
  withDb((db, config) =>
    withObjects(config, db, (objects, store) => {
      if (store === null)
        throw new Refusal(400, 'no_object_store', { detail: 'CHARTGATE_OBJECT_STORE_URL must be set.' });
      return work({ db, objects, store });
    }),
  );

const moveAll = (options: Options): Promise<void> =>
  withStore(async ({ db, objects, store }) => {
    let moved = 0;
    const deps = { db, clock: systemClock, objects, onMoved: () => moved++ };
    await moveOriginals(deps);
    await movePictures(deps);
    await deleteDueObjects({ db, clock: systemClock, store }, new AbortController().signal);
    const to = objects.takesNew ? 'object_store' : 'database';
    printResult(options, { moved, to }, [
      `Moved ${moved} into the ${objects.takesNew ? 'object store' : 'database'}.`,
    ]);
  });

const verifyAll = (options: Options): Promise<void> =>
  withStore(async ({ db, store }) => {
    const { verified, missing } = await findMissingObjects({ db, store });
    printResult(options, { verified, missing }, [
      `Objects that the database knows: ${verified}, of which the store has not: ${missing.length}.`,
      ...missing.map(({ patientId, objectId, use }) => `  ${use} ${objectId} of patient ${patientId}`),
    ]);
    if (missing.length > 0) process.exitCode = 1;
  });
