import { randomBytes } from 'node:crypto';
import { maybeOne, one, type Db } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { findSecret, insertSecret } from './service-secret.sql.ts';

/** Creates the getter of a random secret of 256 bits that all nodes share and that restarts keep; it is made at first use. */
export function createServiceSecret(
  { db, clock }: { db: Db; clock: Clock },
  name: string,
): () => Promise<Buffer> {
  let loaded: Promise<Buffer> | undefined;
  const load = async (): Promise<Buffer> => {
    const known = await maybeOne(db, findSecret(name));
    if (known) return known.secret;
    await db.query(insertSecret(name, randomBytes(32), clock.now()));
    return (await one(db, findSecret(name))).secret;
  };
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
