import fs from 'node:fs';
import path from 'node:path';
import { before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import { endShared } from './harness/process-end.ts';
import { readCpuSeconds, recordCpuSeconds } from './harness/cpu-seconds.ts';
import { useLowestPasswordCost } from './harness/password-cost.ts';
import { ROOT } from './harness/process.ts';
import { ignorePromises, trackPromises } from './harness/promise-tracking.ts';
import { createTaker, type Share } from './harness/queue.ts';

/** Ends what hangs; far more than any file needs when other programs keep the machine busy. */
const FILE_TIMEOUT_MS = 30 * 60_000;

/** A suite that registers tests after an `await`, when the tests of an earlier one may have begun. */
const REGISTERS_LATE = /\b(?:describe|suite)\((?:[^(){}]|\{[^{}]*\})*\basync\b/;

/** Runs this process's share of a queue. */
export const runQueue = (folder: string, share: Share): Promise<void> => runUnits(createTaker(folder, share));

/** Runs one file in this process, which may measure its memory: buffers that nobody needs are let go of as in any program. */
export function runAlone(file: string): Promise<void> {
  v8.setFlagsFromString('--no-external-memory-accounted-in-global-limit');
  const left = [[file]];
  return runUnits(() => left.pop() ?? null);
}

/**
 * Runs test files one after another in this process, each as a suite with the file's name: its hooks and whatever it
 * starts are its own, because the next file is imported only when the suite before has ended.
 */
async function runUnits(next: () => readonly string[] | null): Promise<void> {
  let running: readonly string[] = [];
  process.once('exit', () => {
    if (running.length > 0) console.error(`This process ended before the end of: ${running.join(', ')}`);
  });
  for (let unit = next(); unit !== null; unit = next()) {
    for (const [index, file] of unit.entries()) {
      running = unit.slice(index);
      await runFile(file);
    }
    running = [];
  }
  await endShared();
}

async function runFile(file: string): Promise<void> {
  const cpuBefore = readCpuSeconds();
  trackPromises();
  await suite(file, { timeout: FILE_TIMEOUT_MS }, async () => {
    if (!REGISTERS_LATE.test(fs.readFileSync(path.join(ROOT, file), 'utf8'))) before(ignorePromises);
    await importFile(file);
  });
  recordCpuSeconds(file, readCpuSeconds() - cpuBefore);
}

/** A file that cannot be imported is a failed test: a failed suite is not counted in the summary. */
async function importFile(file: string): Promise<void> {
  process.env['CHARTGATE_TEST_FILE'] = file;
  useLowestPasswordCost();
  try {
    await import(pathToFileURL(path.join(ROOT, file)).href);
  } catch (error) {
    test('can be imported', () => {
      throw error;
    });
  }
}
