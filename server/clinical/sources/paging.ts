import fs from 'node:fs/promises';
import path from 'node:path';
import type { FhirClient } from './fhir-client.ts';
import { isUnderBase } from './fhir-client.ts';
import type { SourceLimits } from './limits.ts';
import type { ExpectedPatient, PageFacts } from './page-facts.ts';
import type { PageInspector } from './page-inspector.ts';
import { SourceFault } from './source-fault.ts';

/** Fetched pages in files, with their totals. */
export interface FetchedPages {
  /** In order, without empty pages. */
  files: string[];
  pages: number;
  bytes: number;
  resources: number;
  others: number;
  /** SHA-256 of each page's entries, in order. */
  hashes: Set<string>;
  subjectHash: string | null;
  referred: Set<string>;
  /** The server's time at its first response, where it declares one. */
  startedAt: Date | null;
}

export const createFetchedPages = (): FetchedPages => ({
  files: [],
  pages: 0,
  bytes: 0,
  resources: 0,
  others: 0,
  hashes: new Set(),
  subjectHash: null,
  referred: new Set(),
  startedAt: null,
});

export interface PagingDeps {
  client: FhirClient;
  inspector: PageInspector;
  limits: SourceLimits;
  folder: string;
  expected: ExpectedPatient;
}

/**
 * Fetches a Bundle and the pages of its `next` links (FHIR R4 §3.1.1.4), and adds them to `fetched`. Returns false when the
 * server's total is larger than what it returned.
 */
export async function fetchPages(deps: PagingDeps, first: string, fetched: FetchedPages): Promise<boolean> {
  const { client, limits } = deps;
  const before = fetched.resources;
  let total = 0;
  const seen = new Set<string>();
  for (let url: string | null = client.base + first; url !== null;) {
    if (seen.has(url)) throw new SourceFault('endless_paging');
    seen.add(url);
    const { next, total: pageTotal } = await fetchPage(deps, url, fetched);
    total = pageTotal ?? total;
    if (next !== null && next.length > limits.linkLength) throw new SourceFault('answer_too_large');
    url = next === null ? null : resolveNext(client.base, url, next);
  }
  return fetched.resources - before >= total;
}

function resolveNext(base: string, from: string, next: string): string {
  const url = URL.parse(next, from)?.href ?? '';
  if (!isUnderBase(base, url)) throw new SourceFault('paging_elsewhere');
  return url;
}

async function fetchPage(
  { client, inspector, limits, folder, expected }: PagingDeps,
  url: string,
  fetched: FetchedPages,
): Promise<PageFacts> {
  if (fetched.pages >= limits.pages) throw new SourceFault('endless_paging');
  const response = await client.get(url, limits.pageBytes);
  if (fetched.bytes + response.body.length > limits.bytes) throw new SourceFault('too_large');
  const file = path.join(folder, formatPageName(fetched.pages));
  await fs.writeFile(file, response.body);
  const facts = await inspector.inspect(file, expected);
  if (facts.fault !== null) throw new SourceFault(facts.fault, { status: response.status });
  addPage(fetched, { file, bytes: response.body.length, facts });
  // Of what a page names there may be millions, and all of it would be kept until the last page.
  for (const name of facts.referred) if (fetched.referred.size < limits.referred) fetched.referred.add(name);
  fetched.startedAt ??= findEarliest(facts.lastUpdated, response.headers.date);
  return facts;
}

/** Formats `page-00001.json` and so on. */
const formatPageName = (before: number): string => `page-${String(before + 1).padStart(5, '0')}.json`;

function addPage(
  fetched: FetchedPages,
  { file, bytes, facts }: { file: string; bytes: number; facts: PageFacts },
): void {
  // The same page under another URL would repeat for ever.
  if (facts.resources > 0 && fetched.hashes.has(facts.hash)) throw new SourceFault('endless_paging');
  fetched.bytes += bytes;
  fetched.resources += facts.resources;
  fetched.others += facts.others;
  fetched.hashes.add(facts.hash);
  fetched.subjectHash = facts.subjectHash ?? fetched.subjectHash;
  fetched.pages++;
  if (facts.entries > 0) fetched.files.push(file);
}

/** Returns the earliest of the valid times. */
function findEarliest(...times: (string | null | undefined)[]): Date | null {
  const known = times
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => Number.isFinite(time) && time > 0);
  return known.length === 0 ? null : new Date(Math.min(...known));
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
