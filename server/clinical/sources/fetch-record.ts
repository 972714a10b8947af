import { createHash } from 'node:crypto';
import type { Capabilities } from './capabilities.ts';
import { COMPARTMENT } from './compartment.ts';
import type { MatchedPatient } from './matched-patient.ts';
import {
  addResource,
  createFetchedPages,
  fetchPages,
  type Completeness,
  type FetchedPages,
  type PagingDeps,
} from './paging.ts';
import { SourceFault } from './source-fault.ts';

export interface FetchDeps extends PagingDeps {
  capabilities: Capabilities;
}

interface FetchOptions {
  matched: MatchedPatient;
  /** Only newer resources; null: everything. */
  since: Date | null;
}

export interface FetchedRecord extends FetchedPages {
  /** Types that the server did not return, or not completely. */
  skipped: string[];
  /** False where something is missing, of whatever type. */
  isComplete: boolean;
}

/** True for a refusal that another kind of request may avoid. */
const canFallBack = (error: unknown): error is SourceFault =>
  error instanceof SourceFault && ['gone', 'rejected', 'forbidden', 'operation_outcome'].includes(error.code);

/** Fetches the record of the matched patient: by `$everything` where the server has it, else type by type. */
export async function fetchRecord(deps: FetchDeps, options: FetchOptions): Promise<FetchedRecord> {
  try {
    return await fetchEverything(deps, options);
  } catch (error) {
    const types = listSearches(deps.capabilities);
    // A Person's record can only be fetched as a whole, and so can that of a server which names no search: what it said counts.
    if (!canFallBack(error) || options.matched.type === 'Person' || types.length === 0) throw error;
    return fetchByType(deps, options, types);
  }
}

async function fetchEverything(deps: FetchDeps, { matched, since }: FetchOptions): Promise<FetchedRecord> {
  const fetched = createFetchedPages();
  const query = new URLSearchParams({
    _count: String(deps.limits.count),
    ...(since && { _since: since.toISOString() }),
  });
  const path = `/${matched.type}/${matched.id}/$everything?${query.toString()}`;
  // Servers differ in whether they count what they include: whoever sends as much as they count has sent all.
  const { isWhole, total, resources } = await fetchPages(deps, path, fetched);
  // A Person's record begins with the Person; without it the owner is unknown.
  if (matched.type === 'Person' && fetched.subjectHash === null && fetched.resources > 0)
    throw new SourceFault('wrong_patient');
  return { ...fetched, skipped: [], isComplete: isWhole && resources >= total };
}

async function fetchByType(
  deps: FetchDeps,
  { matched, since }: FetchOptions,
  types: readonly [string, string][],
): Promise<FetchedRecord> {
  const fetched = createFetchedPages();
  const skipped: string[] = [];
  const refusals: SourceFault[] = [];
  if (matched.bytes) {
    await addResource(deps.folder, matched.bytes, fetched);
    fetched.subjectHash = createHash('sha256').update(matched.bytes).digest('hex');
  }
  const collecting = { ...deps, expected: { ...deps.expected, collect: true } };
  for (const [type, parameter] of types) {
    try {
      const isComplete = await fetchType(
        collecting,
        { path: `/${type}?${parameter}=Patient/${matched.id}`, since },
        fetched,
      );
      if (!isComplete) skipped.push(type);
    } catch (error) {
      if (!canFallBack(error)) throw error;
      refusals.push(error);
      skipped.push(type);
    }
  }
  // A server that refuses every type has no record.
  if (refusals.length === types.length) throw refusals.at(-1) ?? new SourceFault('rejected');
  await fetchReferences(deps, fetched);
  return { ...fetched, skipped, isComplete: skipped.length === 0 };
}

/** Lists each type of the compartment that can be searched by patient, with the search parameter. */
function listSearches({ search }: Capabilities): [string, string][] {
  return [...COMPARTMENT].flatMap(([type, parameters]): [string, string][] => {
    if (search === null) return [[type, parameters[0] as string]];
    const offered = search.get(type);
    if (offered === undefined) return [];
    // Without a list of parameters the first, most common one is used.
    const parameter = offered.size === 0 ? parameters[0] : parameters.find((name) => offered.has(name));
    return parameter === undefined ? [] : [[type, parameter]];
  });
}

/** Fetches one type, and says whether all of it; from a server that does not know `_lastUpdated`, whatever its time. */
async function fetchType(
  deps: FetchDeps,
  { path, since }: { path: string; since: Date | null },
  fetched: FetchedPages,
): Promise<boolean> {
  const all = `${path}&_count=${deps.limits.count}`;
  if (since === null) return hasAllMatches(await fetchPages(deps, all, fetched));
  try {
    const newer = `${all}&_lastUpdated=ge${since.toISOString()}`;
    return hasAllMatches(await fetchPages(deps, newer, fetched));
  } catch (error) {
    if (!(error instanceof SourceFault && error.code === 'rejected')) throw error;
    return hasAllMatches(await fetchPages(deps, all, fetched));
  }
}

/** The total of a search counts its matches (FHIR R4 §3.1.1.5.3). */
const hasAllMatches = ({ isWhole, total, matches }: Completeness): boolean => isWhole && matches >= total;

const IDS_PER_REQUEST = 50;

/**
 * Fetches organizations, practitioners and drugs that the record refers to, and what those refer to; refused ones are
 * left out.
 */
async function fetchReferences(deps: FetchDeps, fetched: FetchedPages): Promise<void> {
  const requested = new Set<string>();
  const collecting = { ...deps, expected: { ...deps.expected, collect: true } };
  for (let round = 0; round < 2; round++) {
    const open = [...fetched.referred].filter((name) => !requested.has(name));
    const byType = Map.groupBy(open, (name) => name.slice(0, name.indexOf('/')));
    for (const [type, names] of byType) {
      for (
        let from = 0;
        from < names.length && requested.size < deps.limits.referred;
        from += IDS_PER_REQUEST
      ) {
        const chunk = names.slice(from, from + IDS_PER_REQUEST);
        for (const name of chunk) requested.add(name);
        const ids = chunk.map((name) => name.slice(type.length + 1)).join(',');
        const path = `/${type}?_id=${ids}&_count=${IDS_PER_REQUEST}`;
        await fetchPages(collecting, path, fetched).catch((error: unknown) => {
          if (!canFallBack(error)) throw error;
        });
      }
    }
  }
}

/** Hashes the content of a sync, to recognize an unchanged one. */
export const hashContent = ({ hashes }: FetchedPages): Buffer =>
  createHash('sha256')
    .update([...hashes].join('\n'))
    .digest();
