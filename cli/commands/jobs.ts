import type { Command } from 'commander';
import { z } from 'zod';
import * as statements from '../../server/platform/jobs/jobs.sql.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { notFound, Refusal } from '../../server/platform/kernel/refusal.ts';
import { printResult, withDb } from '../with-db.ts';

interface Options {
  json?: boolean;
}

/** `chartgate jobs` and `chartgate jobs retry [ID]`: list jobs that were given up, and retry them from the first attempt. */
export function configureJobsCommand(command: Command): void {
  const jobs = command.option('--json', 'print one JSON object').action(listJobs);
  jobs
    .command('retry')
    .description('retry jobs that were given up')
    .argument('[id]', 'only this one')
    .option('--json', 'print one JSON object')
    // `--json` also stands before the name of the command.
    .action((id: string | undefined, _: Options, command: Command) =>
      retryJobs(id, command.optsWithGlobals()),
    );
}

async function listJobs(options: Options): Promise<void> {
  await withDb(async (db) => {
    const deadJobs = (await db.query(statements.findDeadLetters())).map((job) => ({
      id: job.job_id,
      kind: job.kind,
      attempts: job.attempts,
      error: job.last_error,
      since: job.created_at.toISOString(),
    }));
    const counts = groupByKind(await db.query(statements.countJobs()));
    printResult(options, { parked: deadJobs, counts }, [
      deadJobs.length === 0 ? 'No job was given up.' : `Given up: ${deadJobs.length}`,
      ...deadJobs.map(
        (job) => `  ${job.id}  ${job.kind}, ${job.attempts} attempts, ${job.error}, since ${job.since}`,
      ),
      ...Object.entries(counts).map(
        ([kind, { due, parked: dead }]) => `${kind}: ${due} due, ${dead} given up`,
      ),
    ]);
  });
}

type Counts = Record<string, { due: number; parked: number }>;

function groupByKind(rows: readonly { kind: string; state: 'due' | 'parked'; jobs: number }[]): Counts {
  const counts: Counts = {};
  for (const { kind, state, jobs } of rows)
    counts[kind] = { ...(counts[kind] ?? { due: 0, parked: 0 }), [state]: jobs };
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function retryJobs(id: string | undefined, options: Options): Promise<void> {
  if (id !== undefined && !z.guid().safeParse(id).success)
    throw new Refusal(400, 'invalid_input', { detail: 'The id of a job is a UUID.' });
  await withDb(async (db) => {
    const requeued = await db.query(statements.requeueJobs(id ?? null, systemClock.now()));
    if (id !== undefined && requeued.length === 0) throw notFound('A job of this id that was given up');
    printResult(options, { begun: requeued.length }, [
      `Jobs that begin anew: ${requeued.length}. A node that runs takes them within a second.`,
    ]);
  });
}
