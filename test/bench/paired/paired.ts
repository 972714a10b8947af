import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Engine } from '../../harness/store.ts';
import { compareVersions } from './compare.ts';
import { printSummary, type ComparedRow } from './costs.ts';
import { everything } from './everything.ts';
import { ingest } from './ingest.ts';
import { mcp } from './mcp.ts';
import { oauth } from './oauth.ts';
import { start } from './start.ts';
import { webhooks } from './webhooks.ts';
import type { Workload } from './workload.ts';

const WORKLOADS: readonly Workload[] = [mcp, everything, oauth, webhooks, start, ingest];
const ENGINES = (process.env['CHARTGATE_BENCH_ENGINES'] ?? 'postgresql,embedded').split(',') as Engine[];
const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * What the service is asked to do costs in CPU time, of this checkout and of another (`CHARTGATE_BENCH_BEFORE`), in interleaved
 * rounds: where others use the machine too, wall time says nothing. Each has a store, and a database server, of its own.
 */
export async function benchPaired(): Promise<void> {
  const before = process.env['CHARTGATE_BENCH_BEFORE'];
  if (before === undefined)
    throw new Error('CHARTGATE_BENCH_BEFORE: the folder of the checkout to compare with');
  const selected = selectWorkloads(process.env['CHARTGATE_BENCH_ONLY']);
  const roots = { before: path.resolve(before), now: ROOT };
  makeReady(roots.before);
  const rows: ComparedRow[] = [];
  const failures: unknown[] = [];
  for (const workload of selected)
    for (const engine of ENGINES) {
      // One that fails costs itself only: the whole takes long.
      await compareVersions(workload, engine, roots).then(
        (compared) => rows.push(...compared),
        (error: unknown) => failures.push(error),
      );
    }
  if (rows.length > 0) printSummary(rows);
  if (failures.length > 0) throw new AggregateError(failures, 'not every row could be compared');
}

function selectWorkloads(only: string | undefined): readonly Workload[] {
  if (only === undefined) return WORKLOADS;
  return only.split(',').map((name) => {
    const workload = WORKLOADS.find((each) => each.name === name);
    if (!workload) {
      const names = WORKLOADS.map((each) => each.name).join(', ');
      throw new Error(`CHARTGATE_BENCH_ONLY: ${name} is none of ${names}`);
    }
    return workload;
  });
}

/** Installs a checkout, and builds it where its version is built: sources take longer to start. */
function makeReady(root: string): void {
  const tool = ['tools/install-program.mjs', 'tools/install.mjs'].find((file) =>
    fs.existsSync(path.join(root, file)),
  );
  if (tool !== undefined) execFileSync(process.execPath, [tool], { cwd: root, stdio: 'inherit' });
}
