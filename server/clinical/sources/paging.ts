import fs from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { FhirClient } from './fhir-client.ts';
import { isUnderBase } from './fhir-client.ts';
import type { SourceLimits } from './limits.ts';
import type { ExpectedPatient, PageFacts } from './page-facts.ts';
import type { PageInspector } from './page-inspector.ts';
import { SourceFault } from './source-fault.ts';
import { withRetryAfter } from './with-retry-after.ts';

/** Fetched pages in files, with their totals. */
export interface FetchedPages {
  /** In order, without empty pages. */
  files: string[];
  pages: number;
  bytes: number;
  resources: number;
  unread: number;
  others: number;
  /** SHA-256 of each page's entries, in order; of pages that are alike once. */
  hashes: Set<string>;
  /** Addresses by which the pages name the patient besides the server's own. */
  ownNames: Set<string>;
  subjectHash: string | null;
  referred: Set<string>;
  /**
   * The server's time at its first response, where it declares one, and no later than our own: what is written between now
   * and a clock that is ahead would never be asked for.
   */
  startedAt: Date | null;
}

export const createFetchedPages = (): FetchedPages => ({
  files: [],
  pages: 0,
  bytes: 0,
  resources: 0,
  unread: 0,
  others: 0,
  hashes: new Set(),
  ownNames: new Set(),
  subjectHash: null,
  referred: new Set(),
  startedAt: null,
});

export interface PagingDeps {
  client: FhirClient;
  inspector: PageInspector;
  limits: SourceLimits;
  folder: string;
  clock: Clock;
  /** Aborted when the process stops or the sync has taken too long. */
  signal: AbortSignal;
  expected: ExpectedPatient;
}

/** Whether all was sent that a search finds. */
export interface Completeness {
  /** False where the server says itself that its answer may lack something. */
  isWhole: boolean;
  /** Bundle.total; 0 where it says none. */
  total: number;
  /** Resources of the pages, each once, and those of them that the total counts. */
  resources: number;
  matches: number;
}

/** Fetches a Bundle and the pages of its `next` links (FHIR R4 §3.1.1.4), and adds them to `fetched`. */
export async function fetchPages(
  deps: PagingDeps,
  first: string,
  fetched: FetchedPages,
): Promise<Completeness> {
  const { client, limits } = deps;
  const sum = { isWhole: true, total: 0, resources: 0, matches: 0 };
  const [urls, hashes] = [new Set<string>(), new Set<string>()];
  const [all, matches] = [createRepeats(), createRepeats()];
  for (let url: string | null = client.base + first; url !== null;) {
    if (urls.has(url)) throw new SourceFault('endless_paging');
    urls.add(url);
    const facts = await fetchPage(deps, url, fetched);
    // The same page under another URL would repeat for ever; another search may find the same.
    if (facts.resources > 0 && hashes.has(facts.hash)) throw new SourceFault('endless_paging');
    hashes.add(facts.hash);
    sum.isWhole &&= !facts.isIncomplete;
    sum.total = facts.total ?? sum.total;
    sum.resources += facts.resources - all.count(facts.matchKeys) - all.count(facts.includedKeys);
    sum.matches += facts.matches - matches.count(facts.matchKeys);
    if (facts.next !== null && facts.next.length > limits.linkLength)
      throw new SourceFault('answer_too_large');
    url = facts.next === null ? null : resolveNext(client.base, url, facts.next);
  }
  return sum;
}

/** Resources that are compared with those of later pages; about as many as a sync may bring, in 20 MB. */
const MAX_COMPARED = 200_000;

/**
 * Counts resources that came before: where pages are counted off from the beginning and something is inserted meanwhile, one comes
 * twice, and would stand for another that never came.
 */
function createRepeats(): { count(keys: readonly string[]): number } {
  const seen = new Set<string>();
  return {
    count(keys) {
      let repeats = 0;
      for (const key of keys)
        if (seen.has(key)) repeats++;
        else if (seen.size < MAX_COMPARED) seen.add(key);
      return repeats;
    },
  };
}

function resolveNext(base: string, from: string, next: string): string {
  const url = URL.parse(next, from)?.href ?? '';
  if (!isUnderBase(base, url)) throw new SourceFault('paging_elsewhere');
  return url;
}

async function fetchPage(
  { client, inspector, limits, folder, clock, signal, expected }: PagingDeps,
  url: string,
  fetched: FetchedPages,
): Promise<PageFacts> {
  if (fetched.pages >= limits.pages) throw new SourceFault('endless_paging');
  const get = () => client.get(url, limits.pageBytes);
  // With nothing fetched yet, nothing is lost by another attempt, and nobody holds a place of the pool meanwhile.
  const response = fetched.pages === 0 ? await get() : await withRetryAfter({ limits, signal }, get);
  if (fetched.bytes + response.body.length > limits.bytes) throw new SourceFault('too_large');
  const file = path.join(folder, formatPageName(fetched.pages));
  await fs.writeFile(file, response.body);
  const own = { ...expected.own, otherNames: [...fetched.ownNames] };
  const facts = await inspector.inspect(file, { ...expected, own });
  if (facts.fault !== null) throw new SourceFault(facts.fault, { status: response.status });
  addPage(fetched, { file, bytes: response.body.length, facts });
  // Of what a page names there may be millions, and all of it would be kept until the last page.
  for (const name of facts.referred) if (fetched.referred.size < limits.referred) fetched.referred.add(name);
  fetched.startedAt ??= findEarliest([facts.lastUpdated, response.headers.date], clock.now());
  return facts;
}

/** Formats `page-00001.json` and so on. */
const formatPageName = (before: number): string => `page-${String(before + 1).padStart(5, '0')}.json`;

function addPage(
  fetched: FetchedPages,
  { file, bytes, facts }: { file: string; bytes: number; facts: PageFacts },
): void {
  fetched.bytes += bytes;
  fetched.resources += facts.resources;
  fetched.unread += facts.unread;
  fetched.others += facts.others;
  fetched.hashes.add(facts.hash);
  for (const name of facts.ownNames) fetched.ownNames.add(name);
  fetched.subjectHash = facts.subjectHash ?? fetched.subjectHash;
  fetched.pages++;
  if (facts.entries > 0) fetched.files.push(file);
}

/** Returns the earliest of the valid times, or `now` where that is earlier; null where none is valid. */
function findEarliest(times: readonly (string | null | undefined)[], now: Date): Date | null {
  const known = times
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => Number.isFinite(time) && time > 0);
  return known.length === 0 ? null : new Date(Math.min(...known, now.getTime()));
}

/** Adds a single resource that was read before, as a page. */
export async function addResource(folder: string, bytes: Buffer, fetched: FetchedPages): Promise<void> {
  const file = path.join(folder, formatPageName(fetched.pages));
  await fs.writeFile(file, bytes);
  fetched.files.push(file);
  fetched.pages++;
  fetched.bytes += bytes.length;
  fetched.resources++;
}
