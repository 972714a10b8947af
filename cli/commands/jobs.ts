import type { Command } from 'commander';
import { z } from 'zod';
import * as statements from '../../server/jobs/jobs.sql.ts';
import { systemClock } from '../../server/kernel/clock.ts';
import { notFound, Refusal } from '../../server/kernel/refusal.ts';
import { say, withStore } from '../store.ts';

interface Options {
  json?: boolean;
}

/** `chartgate jobs` and `chartgate jobs retry [ID]`: background work that was given up, and a new beginning for it. */
export function jobsCommand(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('list background jobs that were given up, and count all of them')
    .option('--json', 'print one JSON object')
    .action(list);
  jobs
    .command('retry')
    .description('let jobs that were given up begin anew')
    .argument('[id]', 'only this one')
    .option('--json', 'print one JSON object')
    // `--json` also stands before the name of the command.
    .action((id: string | undefined, _: Options, command: Command) => retry(id, command.optsWithGlobals()));
}

async function list(options: Options): Promise<void> {
  await withStore(async (db) => {
    const parked = (await db.query(statements.parkedJobs())).map((job) => ({
      id: job.job_id,
      kind: job.kind,
      attempts: job.attempts,
      error: job.last_error,
      since: job.created_at.toISOString(),
    }));
    const counts = countsByKind(await db.query(statements.countJobs()));
    say(options, { parked, counts }, [
      parked.length === 0 ? 'No job was given up.' : `Given up: ${parked.length}`,
      ...parked.map(
        (job) => `  ${job.id}  ${job.kind}, ${job.attempts} attempts, ${job.error}, since ${job.since}`,
      ),
      ...Object.entries(counts).map(([kind, { due, parked: up }]) => `${kind}: ${due} due, ${up} given up`),
    ]);
  });
}

type Counts = Record<string, { due: number; parked: number }>;

function countsByKind(rows: readonly { kind: string; state: 'due' | 'parked'; jobs: number }[]): Counts {
  const counts: Counts = {};
  for (const { kind, state, jobs } of rows)
    counts[kind] = { ...(counts[kind] ?? { due: 0, parked: 0 }), [state]: jobs };
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function retry(id: string | undefined, options: Options): Promise<void> {
  if (id !== undefined && !z.guid().safeParse(id).success)
    throw new Refusal(400, 'invalid_input', { detail: 'The id of a job is a UUID.' });
  await withStore(async (db) => {
    const begun = await db.query(statements.redriveJobs(id ?? null, systemClock.now()));
    if (id !== undefined && begun.length === 0) throw notFound('A job of this id that was given up');
    say(options, { begun: begun.length }, [
      `Jobs that begin anew: ${begun.length}. A node that runs takes them within a second.`,
    ]);
  });
}
