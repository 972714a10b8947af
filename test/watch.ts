import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './harness/process.ts';
import { createImportGraph, listTestFiles } from './harness/test-files.ts';

/**
 * `npm run test:watch [FILE …]`: waits for changes and runs the tests that a change touches, directly or through imports;
 * with names only those among the named.
 */
const FOLDERS = ['contract', 'documents', 'server', 'cli', 'tools', 'test', 'web'];

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 150;

process.chdir(ROOT);
const names = process.argv.slice(2);
const changed = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let isRunning = false;

for (const folder of FOLDERS) {
  fs.watch(folder, { recursive: true }, (_event, name) => {
    const file = `${folder}/${String(name).replaceAll(path.sep, '/')}`;
    if (!/\.(tsx?|sql|json|css|html)$/.test(file) || /\/dist\//.test(file)) return;
    changed.add(file);
    schedule();
  });
}
console.log('Waiting for changes …');

function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (!isRunning) runTouched();
  }, QUIET_MS);
}

function runTouched(): void {
  const files = [...changed];
  changed.clear();
  const graph = createImportGraph();
  const touched = listTestFiles(names).filter((test) => {
    const used = graph.listUsedFiles(test);
    return files.some((file) => used.has(file));
  });
  if (touched.length === 0) {
    console.log(`No test imports ${files.join(', ')}.`);
    return;
  }
  console.log(`${files.join(', ')} changed; running ${touched.join(', ')}`);
  isRunning = true;
  const run = spawn(process.execPath, [path.join(ROOT, 'test/run.ts'), ...touched], { stdio: 'inherit' });
  run.once('exit', () => {
    isRunning = false;
    if (changed.size > 0) schedule();
    else console.log('Waiting for changes …');
  });
}
