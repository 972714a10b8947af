import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { onProcessEnd } from './process-end.ts';
import { installFromDebian } from './debian.ts';
import { ROOT } from './process.ts';

/** The headless shell first: a page costs it a third less time than it costs the whole browser. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of a context one after another in one process: one of its own for each page costs half of a page's loading again.
  '--renderer-process-limit=1',
  // A test runs little often enough for an optimizing compiler to pay, and its pages live too short for a small heap of what is new.
  '--js-flags=--no-opt,--no-maglev,--min-semi-space-size=16,--max-semi-space-size=32',
];

/** Makes sure there is a Chromium; called once, before the tests, when one of them needs it. */
export function ensureChromium(): void {
  if (findInstalled() !== null || findDownloaded() !== null) return;
  if (installFromDebian('chromium-headless-shell') && findInstalled() !== null) return;
  const cli = path.join(ROOT, 'node_modules/playwright-core/cli.js');
  spawnSync(process.execPath, [cli, 'install', '--with-deps', '--only-shell', 'chromium'], {
    stdio: ['ignore', 2, 2],
  });
  if (findDownloaded() === null) {
    throw new Error(
      'the pages cannot be tested: no Chromium is installed, and none could be installed or downloaded',
    );
  }
}

let started: Promise<Browser> | undefined;

/**
 * The headless Chromium of this process, which its files share: it starts once, in a second. Whoever opens
 * contexts closes them. Without it the pages are not tested: there is no skipping.
 */
export async function openChromium(): Promise<Browser> {
  started ??= startChromium();
  const browser = await started;
  if (browser.isConnected()) return browser;
  started = undefined;
  return openChromium();
}

async function startChromium(): Promise<Browser> {
  const executablePath = findInstalled() ?? findDownloaded();
  if (executablePath === null) throw new Error('run tests by `npm test`, which provides a Chromium');
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  onProcessEnd(() => browser.close());
  return browser;
}

function findInstalled(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const files = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return files.find((file) => fs.existsSync(file)) ?? null;
}

/** Playwright's own, the shell or the whole. */
function findDownloaded(): string | null {
  const whole = chromium.executablePath();
  const shell = whole
    .replace(/chromium-(\d+)/, 'chromium_headless_shell-$1')
    .replace(/chrome-(\w+)([\\/])chrome(\.exe)?$/, 'chrome-headless-shell-$1$2chrome-headless-shell$3');
  return [shell, whole].find((file) => fs.existsSync(file)) ?? null;
}
