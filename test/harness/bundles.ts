import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './process.ts';
import type { ImportGraph } from './test-files.ts';

/** Test files that must not share a process, and why. */
const ALONE = new Map([
  ['server/consent/decisions/evidence.test.ts', 'measures the memory of its process'],
  ['test/journeys/upload-requests.test.ts', 'measures the memory of its process'],
  ['test/journeys/upload-event-loop.test.ts', 'measures how much its thread computes in a turn'],
  ['test/journeys/idle.test.ts', 'counts the timers and statements of an idle process'],
  [
    'test/journeys/auth-tokens.test.ts',
    'compares the cost of hashes, and the dummy hash is made once in a process',
  ],
  ['test/journeys/account-attacks.test.ts', 'measures hashes at their real cost, the dummy hash among them'],
  ['test/storage/maintenance.test.ts', 'replaces the clock of the process'],
]);

/** Test files that share what they import of the published records (`test/data/imported-records.ts`). */
const TOGETHER = new Set([
  'test/data/files.test.ts',
  'test/data/completeness.data.test.ts',
  'test/data/questions.data.test.ts',
  'test/data/patients.test.ts',
]);

/** Seconds that a file takes on two quiet cores beside two others, where they are many: for a run without a record. */
const LONG: Readonly<Record<string, number>> = {
  'test/data/files.test.ts': 106,
  'test/browser/screens.test.ts': 85,
  'test/mcp/withheld.test.ts': 80,
  'test/browser/hostile.test.ts': 55,
  'test/journeys/fhir-streams.test.ts': 52,
  'test/cli.test.ts': 51,
  'test/attacks/refresh-races.test.ts': 51,
  'test/data/patients.test.ts': 48,
  'test/storage/kill-deliveries.test.ts': 45,
  'test/journeys/sources.test.ts': 39,
  'test/browser/my-data.test.ts': 34,
  'test/journeys/upload-event-loop.test.ts': 29,
  'test/journeys/fhir-everything.test.ts': 24,
  'test/storage/kill-upload.test.ts': 22,
  'test/attacks/crash.test.ts': 21,
  'test/journeys/records-updated.test.ts': 21,
  'test/browser/my-sources.test.ts': 20,
  'test/attacks/connected-sources.test.ts': 20,
  'test/storage/kill.test.ts': 19,
  'test/browser/end-to-end.test.ts': 19,
  'test/journeys/fhir-access.test.ts': 19,
  'server/clinical/entries/build-entries.fuzz.test.ts': 18,
  'test/browser/preparation.test.ts': 17,
  'test/attacks/wrong-chart.test.ts': 17,
  'test/browser/requests.test.ts': 16,
  'test/storage/embedded.test.ts': 16,
  'test/browser/review.test.ts': 16,
  'test/attacks/code-race.test.ts': 15,
  'test/browser/evidence.test.ts': 14,
  'test/browser/sign-up.test.ts': 14,
  'test/attacks/decision.test.ts': 14,
  'server/surfaces/fhir/read-chunks.test.ts': 14,
  'test/documents/published-documents.test.ts': 14,
  'test/journeys/upload-documents.test.ts': 13,
  'test/mcp/record-linkage.test.ts': 12,
  'test/journeys/my-data-deletion.test.ts': 12,
  'test/data/completeness.data.test.ts': 12,
  'test/data/record-linkage.test.ts': 11,
  'test/browser/decision.test.ts': 11,
  'test/journeys/decisions.test.ts': 11,
  'test/journeys/fhir-snapshot.test.ts': 11,
  'test/documents/published-ccda.test.ts': 11,
  'tools/synthetic-record/generate-record.test.ts': 10,
  'test/browser/size.test.ts': 9,
  'test/browser/my-data-passkeys.test.ts': 9,
  'test/storage/partitions.test.ts': 9,
};

/** Seconds of a file that no run has measured. */
const TYPICAL = { browser: 8, embedded: 4, store: 2.5, plain: 0.5 };

/**
 * How long a bundle is: each process loads the service, reads the vocabulary, compiles the embedded engine and starts a browser
 * for itself, three CPU-seconds of a few files' four, so that the first bundles are long. Those that are begun last are short,
 * so that all cores are busy to the end. One ends with the file that fills it up.
 */
const MAX_SECONDS = 240;
const MIN_SECONDS = 40;

type Kind = keyof typeof TYPICAL;

const DURATIONS = path.join(ROOT, 'node_modules/.cache/chartgate/test-seconds.json');

type Durations = Readonly<Record<string, number>>;

/** Divides files among processes: like with like, so that a process loads what it shares once; the longest bundle first. */
export function planBundles(
  files: readonly string[],
  { graph, concurrency }: { graph: ImportGraph; concurrency: number },
): string[][] {
  const measured = readDurations();
  const kinds = new Map(files.map((file) => [file, toKind(file, graph)]));
  const seconds = (file: string): number =>
    measured[file] ?? LONG[file] ?? TYPICAL[kinds.get(file) ?? 'plain'];
  const total = (bundle: readonly string[]): number => bundle.reduce((sum, file) => sum + seconds(file), 0);
  const bundles: string[][] = files.filter((file) => ALONE.has(file)).map((file) => [file]);
  let left = total(files);
  const limit = (): number =>
    Math.min(
      MAX_SECONDS,
      Math.max(left / (2 * concurrency), Math.min(MIN_SECONDS, total(files) / concurrency)),
    );
  const together = files.filter((file) => TOGETHER.has(file));
  if (together.length > 0) bundles.push(together);
  for (const kind of Object.keys(TYPICAL)) {
    let open: string[] = [];
    const alike = files.filter((file) => !ALONE.has(file) && !TOGETHER.has(file) && kinds.get(file) === kind);
    for (const file of alike.sort((one, other) => seconds(other) - seconds(one))) {
      if (open.length === 0) bundles.push(open);
      open.push(file);
      if (total(open) < limit()) continue;
      left -= total(open);
      open = [];
    }
  }
  return bundles.sort((one, other) => total(other) - total(one));
}

function toKind(file: string, graph: ImportGraph): Kind {
  if (graph.usesFile(file, 'test/harness/chromium.ts')) return 'browser';
  if (!graph.usesFile(file, 'test/harness/store.ts')) return 'plain';
  // The embedded engine is compiled once in a process.
  return /\bENGINES\b|'embedded'/.test(fs.readFileSync(path.join(ROOT, file), 'utf8')) ? 'embedded' : 'store';
}

/** Keeps how long files took, for the order of the next run. Two runs at once both leave a whole file. */
export function writeDurations(durations: Durations): void {
  fs.mkdirSync(path.dirname(DURATIONS), { recursive: true });
  const written = `${DURATIONS}.${process.pid}`;
  fs.writeFileSync(written, JSON.stringify({ ...readDurations(), ...durations }, null, 1));
  fs.renameSync(written, DURATIONS);
}

function readDurations(): Durations {
  return fs.existsSync(DURATIONS) ? (JSON.parse(fs.readFileSync(DURATIONS, 'utf8')) as Durations) : {};
}
