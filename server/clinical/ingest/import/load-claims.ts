import type { BatchId, DataMask, PatientId } from '../../../../contract/brands.ts';
import { intersectMasks } from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { readText, toElement } from '../../entries/element.ts';
import { hasPointers, isNumberedList, mayPoint } from '../../labels/bill-items.ts';
import { findStoredLabels } from '../../labels/contents.sql.ts';
import type { MentioningResource } from '../../labels/find-redactions.ts';
import { listInlineMembers } from '../../labels/inline-members.ts';
import { listMentions } from '../../labels/mentions.ts';
import { isUnclear, listNamesByIdentifier, listSearchableNames } from '../../labels/names-of-targets.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import { listWrittenNames } from '../../labels/written-names.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { normalizeReference } from '../../store/references.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import { findBodiesByIds } from '../../store/bodies-by-id.sql.ts';
import { findResources, type ResourceRow } from '../../store/resources.sql.ts';

/** Loads the ids of the Claims of a record by the names that their identifiers make. */
export type LoadClaimNames = () => Promise<ReadonlyMap<string, readonly string[]>>;

/** Returns a function that loads them once, and not where nothing names a Claim by an identifier. */
export function createClaimNames(on: Queryable, patientId: PatientId): LoadClaimNames {
  let loaded: ReturnType<LoadClaimNames> | undefined;
  return () => (loaded ??= loadClaimNames(on, patientId, null));
}

async function loadClaimNames(
  on: Queryable,
  patientId: PatientId,
  batchId: BatchId | null,
): ReturnType<LoadClaimNames> {
  const ids = new Map<string, string[]>();
  for await (const { body, fhir_id: id, source_id: source } of readBills(on, patientId, {
    batchId,
    types: ['Claim'],
  }))
    for (const name of [`Claim/${id}`, ...listSearchableNames(parseResource(body), source)])
      ids.set(name, [...(ids.get(name) ?? []), id]);
  return ids;
}

/**
 * Loads the restricted classes of the bills of a record that answer the Claims of a batch, since these may have come after them, or anew;
 * none where there is no batch.
 */
export async function loadAnswersOfClaims({
  db: on,
  patientId,
  batchId,
}: {
  db: Queryable;
  patientId: PatientId;
  batchId: BatchId | null;
}): Promise<(readonly [seq: number, labels: DataMask])[]> {
  if (batchId === null) return [];
  const answers: { seq: number; names: (string | null)[] }[] = [];
  const types = [...ANSWERS.keys()];
  for await (const { seq, body } of readBills(on, patientId, { batchId: null, types })) {
    const claim = mayPoint(body) ? readClaim(parseResource(body)) : null;
    if (claim !== null) answers.push({ seq, names: [claim.reference, ...claim.names] });
  }
  if (answers.length === 0) return [];
  const claims = await loadClaimNames(on, patientId, batchId);
  const seqs = answers.flatMap(({ seq, names }) =>
    names.some((name) => name !== null && claims.has(name)) ? [seq] : [],
  );
  if (seqs.length === 0) return [];
  const rows = await on.query(findStoredLabels(patientId, seqs));
  return rows.map((row) => [row.seq, intersectMasks(row.required_labels, RESTRICTED_MASK)] as const);
}

const PAGE = 200;

async function* readBills(
  on: Queryable,
  patientId: PatientId,
  { batchId, types }: { batchId: BatchId | null; types: readonly string[] },
): AsyncGenerator<ResourceRow> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const query = { after, limit: PAGE, batchId, types: { only: types } };
    const rows: ResourceRow[] = await on.query(findResources(patientId, query));
    yield* rows;
    after = rows.at(-1)?.seq;
  }
}

/** What bills answer, whose items theirs point to. */
type GetClaims = (resource: ParsedResource) => readonly MentioningResource[];

/**
 * Loads the Claims that responses answer, and explanations of benefits explain, with what numbered members of these refer to or say:
 * one look-up a page, and none where there is no answer.
 */
export async function loadClaims(
  on: Queryable,
  patientId: PatientId,
  {
    resources,
    classifyWords,
    loadNames,
  }: { resources: readonly ParsedResource[]; classifyWords: ClassifyWords; loadNames: LoadClaimNames },
): Promise<GetClaims> {
  const named = resources.flatMap((resource) => readClaim(resource) ?? []);
  if (named.length === 0) return () => [];
  const names = named.some((each) => each.names.length > 0) ? await loadNames() : new Map<string, string[]>();
  const listIds = ({ reference, names: own }: NamedClaim): readonly string[] => [
    ...(reference === null ? [] : [reference.slice('Claim/'.length)]),
    ...own.flatMap((name) => names.get(name) ?? []),
  ];
  const rows = await on.query(findBodiesByIds(patientId, 'Claim', [...new Set(named.flatMap(listIds))]));
  const claims = new Map(
    rows.map(({ fhir_id: id, body }) => {
      const resource = parseResource(body);
      const mentions = [
        ...listMentions(resource).filter(isOfNumberedMember),
        ...listInlineMembers(resource, classifyWords),
      ];
      return [id, { resource, mentions }] as const;
    }),
  );
  return (resource) => {
    const claim = readClaim(resource);
    return claim === null ? [] : [...new Set(listIds(claim))].flatMap((id) => claims.get(id) ?? []);
  };
}

const isOfNumberedMember = ({ pointer, target }: MentioningResource['mentions'][number]): boolean =>
  target !== null && isNumberedList(pointer[0]);

/** A Claim as a bill whose items point to something names it: by its address, by identifiers, or by all that a path may mean. */
interface NamedClaim {
  reference: string | null;
  names: readonly string[];
}

const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['ClaimResponse', 'request'],
  ['ExplanationOfBenefit', 'claim'],
]);

function readClaim(resource: ParsedResource): NamedClaim | null {
  const element = toElement(resource[ANSWERS.get(resource.resourceType) ?? '']);
  if (!element || !hasPointers(resource)) return null;
  const reference = normalizeReference(readText(element['reference']) ?? '');
  const [, id] = /^Claim\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.{0,100})?$/.exec(reference) ?? [];
  const written = isUnclear(reference) ? listWrittenNames(reference).addresses : [];
  const names = [
    ...listNamesByIdentifier(element, ['Claim']),
    ...written
      .flatMap((name) => [name, name.replace('/', '?_id=')])
      .filter((name) => name.startsWith('Claim')),
  ];
  return id === undefined && names.length === 0
    ? null
    : { reference: id === undefined ? null : `Claim/${id}`, names };
}
