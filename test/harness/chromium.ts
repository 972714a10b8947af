import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { installFromDebian } from './debian.ts';
import { ROOT } from './process.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Makes sure there is a Chromium; called once, before the tests, when one of them needs it. */
export function ensureChromium(): void {
  if (findInstalled() !== null || findDownloaded() !== null) return;
  if (installFromDebian('chromium') && findInstalled() !== null) return;
  const cli = path.join(ROOT, 'node_modules/playwright-core/cli.js');
  spawnSync(process.execPath, [cli, 'install', '--with-deps', 'chromium'], { stdio: ['ignore', 2, 2] });
  if (findDownloaded() === null) {
    throw new Error(
      'the pages cannot be tested: no Chromium is installed, and none could be installed or downloaded',
    );
  }
}

/** A headless Chromium, without which the pages are not tested: there is no skipping. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findInstalled() ?? findDownloaded();
  if (executablePath === null) throw new Error('run tests by `npm test`, which provides a Chromium');
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

function findInstalled(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const files = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return files.find((file) => fs.existsSync(file)) ?? null;
}

/** Playwright's own. */
function findDownloaded(): string | null {
  const file = chromium.executablePath();
  return fs.existsSync(file) ? file : null;
}
