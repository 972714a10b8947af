import { createHash } from 'node:crypto';
import type { Capabilities } from './capabilities.ts';
import { COMPARTMENT } from './compartment.ts';
import type { MatchedPatient } from './match-patient.ts';
import { addResource, fetchPages, createFetchedPages, type FetchedPages, type PagingDeps } from './paging.ts';
import { SourceFault } from './source-fault.ts';

export interface FetchDeps extends PagingDeps {
  capabilities: Capabilities;
}

interface FetchOptions {
  matched: MatchedPatient;
  /** Only what is newer; null: everything. */
  since: Date | null;
}

export interface FetchedRecord extends FetchedPages {
  /** Types that the server did not give, or not all of. */
  skipped: string[];
}

/** A refusal of one request that another way may not meet. */
const canFallBack = (error: unknown): error is SourceFault =>
  error instanceof SourceFault && ['gone', 'rejected', 'forbidden', 'operation_outcome'].includes(error.code);

/** The record of the matched patient: `$everything` where it is to be had, else type by type. */
export async function fetchRecord(deps: FetchDeps, options: FetchOptions): Promise<FetchedRecord> {
  try {
    return { ...(await fetchEverything(deps, options)), skipped: [] };
  } catch (error) {
    // A Person's record is given as a whole or not at all.
    if (!canFallBack(error) || options.matched.type === 'Person') throw error;
  }
  return fetchByType(deps, options);
}

async function fetchEverything(deps: FetchDeps, { matched, since }: FetchOptions): Promise<FetchedPages> {
  const fetched = createFetchedPages();
  const query = new URLSearchParams({
    _count: String(deps.limits.count),
    ...(since && { _since: since.toISOString() }),
  });
  await fetchPages(deps, `/${matched.type}/${matched.id}/$everything?${query.toString()}`, fetched);
  // Whoever gives a Person's record begins with the Person: without it nobody says whose this is.
  if (matched.type === 'Person' && fetched.subjectHash === null && fetched.resources > 0)
    throw new SourceFault('wrong_patient');
  return fetched;
}

async function fetchByType(deps: FetchDeps, { matched, since }: FetchOptions): Promise<FetchedRecord> {
  const fetched = createFetchedPages();
  const skipped: string[] = [];
  let refusal: SourceFault | null = null;
  if (matched.bytes) {
    await addResource(deps.folder, matched.bytes, fetched);
    fetched.subjectHash = createHash('sha256').update(matched.bytes).digest('hex');
  }
  const collecting = { ...deps, expected: { ...deps.expected, collect: true } };
  const types = listSearches(deps.capabilities);
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
      refusal = error;
      skipped.push(type);
    }
  }
  // A server that gives nothing at all is no server of a record.
  if (skipped.length === types.length && (refusal || types.length === 0))
    throw refusal ?? new SourceFault('rejected');
  await fetchReferences(deps, fetched);
  return { ...fetched, skipped };
}

/** Each type of the compartment that the server lets search by patient, with the parameter. */
function listSearches({ search }: Capabilities): [string, string][] {
  return [...COMPARTMENT].flatMap(([type, parameters]): [string, string][] => {
    if (search === null) return [[type, parameters[0] as string]];
    const offered = search.get(type);
    if (offered === undefined) return [];
    // Without a list of parameters: the first is the usual one.
    const parameter = offered.size === 0 ? parameters[0] : parameters.find((name) => offered.has(name));
    return parameter === undefined ? [] : [[type, parameter]];
  });
}

/** A server that does not know `_lastUpdated` is asked for all of the type. */
async function fetchType(
  deps: FetchDeps,
  { path, since }: { path: string; since: Date | null },
  fetched: FetchedPages,
): Promise<boolean> {
  const all = `${path}&_count=${deps.limits.count}`;
  if (since === null) return fetchPages(deps, all, fetched);
  try {
    return await fetchPages(deps, `${all}&_lastUpdated=ge${since.toISOString()}`, fetched);
  } catch (error) {
    if (!(error instanceof SourceFault && error.code === 'rejected')) throw error;
    return fetchPages(deps, all, fetched);
  }
}

const IDS_PER_REQUEST = 50;

/** Organizations, practitioners, drugs that the record refers to, and what those refer to; what cannot be had is left. */
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

/** What a sync brought, in 32 bytes: the same again is nothing new. */
export const hashContent = ({ hashes }: FetchedPages): Buffer =>
  createHash('sha256')
    .update([...hashes].join('\n'))
    .digest();
