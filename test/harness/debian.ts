import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import fs from 'node:fs';

/** Installs packages where that is possible: as root, on Debian. False when it was not. */
export function installFromDebian(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/apt-get')) return false;
  const options: ExecFileSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  try {
    execFileSync('apt-get', ['update', '-q'], options);
    execFileSync('apt-get', ['install', '-yq', '--no-install-recommends', ...packages], options);
    return true;
  } catch {
    return false;
  }
}
