import { sql } from '../db/sql.ts';

/** Inserts a secret unless another node, or an earlier start, has inserted one of this name. */
export const insertSecret = (name: string, secret: Buffer, now: Date) => sql`
  insert into service_secret (name, secret, created_at) values (${name}, ${secret}, ${now})
  on conflict (name) do nothing`;

export const findSecret = (name: string) => sql<{ secret: Buffer }>`
  select secret from service_secret where name = ${name}`;
