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

/** CPU-seconds of files that cost many: for a run without a record of how long they took. */
const LONG: Readonly<Record<string, number>> = {
  'test/browser/console-screens.test.ts': 149,
  'test/browser/screens.test.ts': 100,
  'test/data/files.test.ts': 83,
  'test/browser/hostile.test.ts': 46,
  'test/mcp/withheld.test.ts': 40,
  'test/storage/partitions.test.ts': 36,
  'test/data/completeness.data.test.ts': 34,
  'test/cli.test.ts': 28,
  'test/storage/kill-upload.test.ts': 28,
  'test/browser/evidence.test.ts': 27,
  'test/access-matrix.test.ts': 27,
  'test/release.test.ts': 27,
  'test/browser/my-data.test.ts': 26,
  'test/browser/review.test.ts': 23,
  'test/storage/kill-deliveries.test.ts': 21,
  'test/browser/end-to-end.test.ts': 20,
  'test/browser/clinic-first-day.test.ts': 20,
  'test/journeys/fhir-streams.test.ts': 19,
  'test/attacks/refresh-races.test.ts': 18,
  'test/browser/sign-up.test.ts': 18,
  'test/storage/kill.test.ts': 18,
  'test/storage/backup.test.ts': 18,
  'test/data/patients.test.ts': 18,
  'test/journeys/upload-event-loop.test.ts': 18,
  'test/browser/requests.test.ts': 17,
  'test/journeys/sources.test.ts': 16,
  'server/surfaces/fhir/read-chunks.test.ts': 16,
  'test/documents/published-documents.test.ts': 16,
  'test/storage/embedded.test.ts': 15,
  'test/documents/published-ccda.test.ts': 15,
  'test/browser/preparation.test.ts': 14,
  'test/attacks/linear-patterns.test.ts': 13,
  'test/openapi-calls.test.ts': 13,
  'test/browser/console-projects.test.ts': 12,
  'test/browser/console-journey.test.ts': 11,
  'test/oauth/differential.test.ts': 11,
  'test/storage/failover.test.ts': 11,
  'test/mcp/record-linkage.test.ts': 10,
  'test/browser/decision.test.ts': 10,
  'test/browser/console-consents.test.ts': 10,
  'test/attacks/evidence.test.ts': 10,
  'test/browser/error-pages.test.ts': 10,
  'server/clinical/entries/build-entries.fuzz.test.ts': 10,
  'test/journeys/object-store.test.ts': 10,
  'test/storage/processes.test.ts': 10,
  'test/journeys/fhir-access.test.ts': 9,
  'test/data/record-linkage.test.ts': 9,
  'test/browser/client-identity.test.ts': 9,
  'test/attacks/code-race.test.ts': 9,
  'test/browser/docs.test.ts': 9,
  'test/browser/invitation.test.ts': 9,
  'documents/sandbox/document-process-pool.test.ts': 9,
  'test/browser/my-sources.test.ts': 8,
  'test/browser/my-data-passkeys.test.ts': 8,
  'test/attacks/crash.test.ts': 8,
  'test/browser/console-passkeys.test.ts': 8,
  'test/attacks/upload-quotas.test.ts': 8,
  'test/browser/language.test.ts': 8,
  'test/conformance/inspector.test.ts': 8,
  'test/attacks/full-disk.test.ts': 8,
  'test/conformance/oauth-inspector.test.ts': 8,
  'test/journeys/upload-stop.test.ts': 8,
  'test/storage/statements.test.ts': 8,
  'test/journeys/my-data-record.test.ts': 8,
  'test/search/search-quality.data.test.ts': 8,
  'test/browser/size.test.ts': 7,
  'server/consent/decisions/evidence.test.ts': 7,
};

/** Of a file that is not among them. */
const TYPICAL = { browser: 6, embedded: 3, store: 1.5, plain: 0.5 };

export type Kind = keyof typeof TYPICAL;

/**
 * How much a process takes from the queue. Each loads the service, reads the vocabulary, compiles the embedded engine or starts
 * a browser for itself, five CPU-seconds of a file's one; what the files of a process leave in its memory comes to a gigabyte.
 */
const PROCESS_SECONDS = 400;

const DURATIONS = path.join(ROOT, 'node_modules/.cache/chartgate/test-seconds.json');

type Durations = Readonly<Record<string, number>>;

/** What a process runs before it takes more: a file, or those that share what they import. */
export interface Unit {
  files: string[];
  kind: Kind;
  seconds: number;
}

/** The files as units, the longest first, and those that have a process to themselves. */
export function planUnits(files: readonly string[], graph: ImportGraph): { alone: string[]; units: Unit[] } {
  const measured = readDurations();
  const toUnit = (each: string[]): Unit => {
    const kinds = each.map((file) => toKind(file, graph));
    const seconds = each.map(
      (file, index) => measured[file] ?? LONG[file] ?? TYPICAL[kinds[index] ?? 'plain'],
    );
    return { files: each, kind: kinds[0] ?? 'plain', seconds: seconds.reduce((sum, one) => sum + one, 0) };
  };
  const together = files.filter((file) => TOGETHER.has(file));
  const others = files.filter((file) => !TOGETHER.has(file) && !ALONE.has(file)).map((file) => [file]);
  const units = (together.length > 0 ? [together, ...others] : others).map(toUnit);
  return {
    alone: files.filter((file) => ALONE.has(file)),
    units: units.sort((one, other) => other.seconds - one.seconds),
  };
}

export interface Share {
  /** What a process takes first. */
  kind: Kind;
  /** After how much it takes no more. */
  seconds: number;
}

const sumSeconds = (units: readonly Unit[]): number => units.reduce((sum, { seconds }) => sum + seconds, 0);

/** A share is more than nothing, also of files that took less than the tenth of a second that is noted of each. */
const MIN_SECONDS = 0.1;

/** What each process of a run takes: as many begin with a kind as its files need, the kinds in turn. */
export function planProcesses(units: readonly Unit[], concurrency: number): Share[] {
  const share = Math.max(MIN_SECONDS, Math.min(PROCESS_SECONDS, sumSeconds(units) / concurrency));
  const needed = Object.entries(Object.groupBy(units, ({ kind }) => kind)).map(([kind, own]) => ({
    kind: kind as Kind,
    count: Math.max(1, Math.ceil(sumSeconds(own) / share)),
  }));
  const rounds = Math.max(0, ...needed.map(({ count }) => count));
  return Array.from({ length: rounds }, (_, round) => needed.filter(({ count }) => count > round))
    .flat()
    .map(({ kind }) => ({ kind, seconds: share }));
}

const UNITS = 'units.json';

/** Puts units into a folder, from which the processes of a run take them. */
export const writeQueue = (folder: string, units: readonly Unit[]): void =>
  fs.writeFileSync(path.join(folder, UNITS), JSON.stringify(units));

/** What one process takes from the queue of a folder, until that is empty or the process has had its share; then null. */
export function createTaker(folder: string, share: Share): () => readonly string[] | null {
  let seconds = 0;
  return () => {
    const unit = seconds < share.seconds ? takeUnit(folder, share.kind) : null;
    seconds += unit?.seconds ?? 0;
    return unit?.files ?? null;
  };
}

/**
 * Takes a unit that no other process has: of the kind that this one is warm for, then of that of which most is left. The
 * longest first, so that all processes end at about the same time. Null when none is left.
 */
function takeUnit(folder: string, kind: Kind): Unit | null {
  const units = readUnits(folder);
  for (;;) {
    const left = listLeftUnits(folder, units);
    const byKind = Object.groupBy(left, (unit) => unit.kind);
    const sum = (each: Kind): number => (byKind[each] ?? []).reduce((total, unit) => total + unit.seconds, 0);
    const next = byKind[kind]?.[0] ?? left.toSorted((one, other) => sum(other.kind) - sum(one.kind))[0];
    if (next === undefined) return null;
    if (isClaimed(path.join(folder, toClaim(units.indexOf(next))))) return next;
  }
}

/** The files that no process took: each has ended before. */
export const listLeft = (folder: string): string[] =>
  listLeftUnits(folder, readUnits(folder)).flatMap(({ files }) => files);

const readUnits = (folder: string): Unit[] =>
  JSON.parse(fs.readFileSync(path.join(folder, UNITS), 'utf8')) as Unit[];

function listLeftUnits(folder: string, units: readonly Unit[]): Unit[] {
  const names = new Set(fs.readdirSync(folder));
  return units.filter((_, index) => !names.has(toClaim(index)));
}

const toClaim = (index: number): string => `${index}.taken`;

/** Whether it is this process that has it now: a file is created once. */
function isClaimed(claim: string): boolean {
  try {
    fs.closeSync(fs.openSync(claim, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
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
