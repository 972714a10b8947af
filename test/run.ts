import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { ensureChromium } from './harness/chromium.ts';
import { reportCpuSeconds } from './harness/cpu-seconds.ts';
import { ROOT } from './harness/process.ts';
import { listLeft, planProcesses, planUnits, writeDurations, writeQueue } from './harness/queue.ts';
import { takeStoreFolder } from './harness/store-folder.ts';
import { createImportGraph, listTestFiles } from './harness/test-files.ts';

/**
 * `npm test [FILE …] [--test-name-pattern=PATTERN]`: every test, or the named ones. PostgreSQL, the templates of stores and
 * Chromium are provided only when one of the files uses them. Files are taken
 * from a queue by two processes more than there are cores, because each waits for its database, its browser or a time limit
 * for about half of its time.
 */
const PATTERN = '--test-name-pattern=';
const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
const patterns = args.filter((arg) => arg.startsWith(PATTERN)).map((arg) => arg.slice(PATTERN.length));

process.chdir(ROOT);
const cache = (process.env['NODE_COMPILE_CACHE'] ??= path.join(ROOT, 'node_modules/.cache/node'));
const files = listTestFiles(names);
const graph = createImportGraph();
const isUsed = (imported: string): boolean => files.some((file) => graph.usesFile(file, imported));
if (isUsed('test/harness/chromium.ts')) ensureChromium();
if (isUsed('test/harness/program.ts')) execFileSync(process.execPath, ['tools/install-program.mjs']);

const removeStores = isUsed('test/harness/store.ts') ? takeStoreFolder() : () => {};

const toUrl = (file: string): string => pathToFileURL(path.join(ROOT, file)).href;
const durations: Record<string, number> = {};
const folder = fs.mkdtempSync(path.join(tmpdir(), 'chartgate-tests-'));
/** Of how many files a run says that they cost most, where it is of many. */
const DEAREST = 10;
const cpuLog = (process.env['CHARTGATE_TEST_CPU_LOG'] ??= path.join(folder, 'cpu-seconds'));
const concurrency = availableParallelism() + 2;
/**
 * What a process keeps of one file lives beside what the next needs, and V8 looked through all of it every few seconds. It may
 * fill a part of the memory first, of which what stands outside its heap, such as buffers, counts.
 */
const heapMB = Math.min(1000, Math.floor(totalmem() / 2 ** 20 / 4 / concurrency));
const HEAP = [`--initial-old-space-size=${heapMB}`, '--external-memory-accounted-in-global-limit'];
const { alone, units } = planUnits(files, graph);
writeQueue(folder, units);
// node:test asks whether a suite has a test of that name before a second one of a process has any.
const calls =
  patterns.length > 0
    ? files.map((file) => `runAlone(${JSON.stringify(file)})`)
    : [
        ...alone.map((file) => `runAlone(${JSON.stringify(file)})`),
        ...planProcesses(units, concurrency).map(
          (share) => `runQueue(${JSON.stringify(folder)}, ${JSON.stringify(share)})`,
        ),
      ];
const entries = calls.map((call, index) => {
  const entry = path.join(folder, `${String(index).padStart(3, '0')}.mjs`);
  fs.writeFileSync(
    entry,
    `import { keepTrackingHook } from '${toUrl('test/harness/promise-tracking.ts')}';
keepTrackingHook();
const { runAlone, runQueue } = await import('${toUrl('test/run-queue.ts')}');
await ${call};
`,
  );
  return entry;
});
// A process writes its cache when it ends: those that begin together, or are killed, would each compile everything.
if (!fs.existsSync(cache) && entries.length > concurrency)
  spawnSync(process.execPath, [path.join(ROOT, 'test/compile.ts')], { stdio: 'ignore' });
process.once('exit', () => {
  const left = patterns.length > 0 ? [] : listLeft(folder);
  if (left.length > 0) {
    console.log(`Not run, because every process had ended: ${left.join(', ')}`);
    process.exitCode = 1;
  }
  if (files.length > DEAREST) console.log(reportCpuSeconds(cpuLog, DEAREST));
  fs.rmSync(folder, { recursive: true, force: true });
  removeStores();
  if (patterns.length === 0) writeDurations(durations);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

run({
  files: entries,
  concurrency,
  execArgv: ['--disable-warning=ExperimentalWarning', ...HEAP],
  ...(patterns.length > 0 && { testNamePatterns: patterns }),
  ...(isUsed('test/harness/store.ts') && { globalSetupPath: path.join(ROOT, 'test/setup.ts') }),
})
  .on('test:fail', (event) => {
    if (event.todo === undefined || event.todo === false) process.exitCode = 1;
  })
  .on('test:pass', ({ nesting, name, details }) => {
    if (nesting === 0 && files.includes(name)) durations[name] = Math.round(details.duration_ms / 100) / 10;
  })
  .compose(new spec())
  .pipe(process.stdout);
