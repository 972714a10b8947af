import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildProcessEnvironment, ROOT } from '../harness/process.ts';

/** The program as it was at a commit, beside the dependencies of today. */
export interface EarlierProgram {
  root: string;
  /** Runs a command of its command line; returns what it printed. */
  run(args: readonly string[], environment: Record<string, string>): Promise<string>;
  remove(): void;
}

/** Whether the history of this clone reaches back to the commit: a shallow one's does not. */
function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes the files of a commit into a folder, and takes the dependencies that are installed here, and the pages that are built
 * here: a program that serves does not start without pages, and looks into none.
 */
export function checkOutProgram(commit: string): EarlierProgram {
  if (!hasCommit(commit))
    throw new Error(`this clone's history does not reach back to ${commit}: git fetch --unshallow`);
  const root = fs.mkdtempSync(path.join(os.tmpdir(), `chartgate-${commit}-`));
  const archive = path.join(root, 'files.tar');
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  execFileSync('tar', ['-xf', archive, '-C', root]);
  fs.rmSync(archive);
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  for (const app of ['consent', 'console', 'docs', 'portal']) {
    const folder = path.join(root, 'web', app);
    if (fs.existsSync(folder)) fs.symlinkSync(path.join(ROOT, 'web', app, 'dist'), path.join(folder, 'dist'));
  }
  return {
    root,
    async run(args, environment) {
      const { stdout } = await promisify(execFile)(process.execPath, ['cli/main.ts', ...args], {
        cwd: root,
        env: { ...buildProcessEnvironment(), ...environment },
      });
      return stdout;
    },
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}
