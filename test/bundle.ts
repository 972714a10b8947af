import path from 'node:path';
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { useLowestPasswordCost } from './harness/password-cost.ts';
import { ROOT } from './harness/process.ts';

/** Ends what hangs; far more than any file needs when other programs keep the machine busy. */
const FILE_TIMEOUT_MS = 30 * 60_000;

/**
 * Runs test files one after another in this process, each as a suite with the file's name: its hooks and whatever it
 * starts are its own, because the next file is imported only when the suite before has ended.
 */
export async function runBundle(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await suite(file, { timeout: FILE_TIMEOUT_MS }, async () => {
      process.env['CHARTGATE_TEST_FILE'] = file;
      useLowestPasswordCost();
      await import(pathToFileURL(path.join(ROOT, file)).href);
    });
  }
}
