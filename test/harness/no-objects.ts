import type { Db } from '../../server/platform/db/db.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { createObjects, type Objects } from '../../server/platform/objects/objects.ts';

/** Everything is in the database, as without a setting. */
export const withoutObjectStore = (db: Db): Objects => createObjects({ db, clock: systemClock, store: null });
