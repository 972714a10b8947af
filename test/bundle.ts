import fs from 'node:fs';
import path from 'node:path';
import { before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endBundle } from './harness/bundle-end.ts';
import { readCpuSeconds, recordCpuSeconds } from './harness/cpu-seconds.ts';
import { useLowestPasswordCost } from './harness/password-cost.ts';
import { ROOT } from './harness/process.ts';
import { ignorePromises, trackPromises } from './harness/promise-tracking.ts';

/** Ends what hangs; far more than any file needs when other programs keep the machine busy. */
const FILE_TIMEOUT_MS = 30 * 60_000;

/** A suite that registers tests after an `await`, when the tests of an earlier one may have begun. */
const REGISTERS_LATE = /\b(?:describe|suite)\((?:[^(){}]|\{[^{}]*\})*\basync\b/;

/**
 * Runs test files one after another in this process, each as a suite with the file's name: its hooks and whatever it
 * starts are its own, because the next file is imported only when the suite before has ended.
 */
export async function runBundle(files: readonly string[]): Promise<void> {
  let done = 0;
  process.once('exit', () => {
    if (done < files.length)
      console.error(`This process ended within ${files[done]}; not run: ${files.slice(done + 1).join(', ')}`);
  });
  for (const file of files) {
    const cpuBefore = readCpuSeconds();
    trackPromises();
    await suite(file, { timeout: FILE_TIMEOUT_MS }, async () => {
      if (!REGISTERS_LATE.test(fs.readFileSync(path.join(ROOT, file), 'utf8'))) before(ignorePromises);
      await importFile(file);
    });
    done++;
    recordCpuSeconds(file, readCpuSeconds() - cpuBefore);
  }
  await endBundle();
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
