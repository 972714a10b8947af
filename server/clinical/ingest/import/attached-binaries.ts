import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { ALL_LABELS, intersectMasks } from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { readText, toElement, type Element } from '../../entries/element.ts';
import { findBinaryLinks, findStoredLabels, type BinaryLink } from '../../labels/contents.sql.ts';
import { findBinarySizes, findBodiesByIds } from '../../store/bodies-by-id.sql.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { MAX_PAGE_BYTES } from '../../store/limit-body-bytes.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import type { ResourceRow } from '../../store/resources.sql.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';

/** A parsed resource of a page. */
interface ParsedRow {
  row: { seq: number };
  resource: ParsedResource;
}

/** The same with the content of Binaries in the attachments that name them. */
interface CompletedRow {
  /** As its body has it. */
  written: ParsedResource;
  /** `Binary/id` of each whose content it has. */
  binaries: readonly string[];
}

/** Loads the Binaries whose content attachments of notes name by their addresses, and completes the resources with them. */
export type LoadBinaries = <Row extends ParsedRow>(
  on: Queryable,
  parsed: readonly Row[],
) => Promise<{
  rows: (Row & CompletedRow)[];
  documents: readonly { row: { body: string }; resource: ParsedResource }[];
}>;

/** The ids of the Binaries whose content resources may show as their own, by `seq`. */
type AttachableBinaries = Map<number, Set<string>>;

/** What a rebuild has found of Binaries, and of what names them. */
export interface BinaryFindings {
  /** The labels of Binaries by their content; they are stored when it is known what names them. */
  binaries: Map<number, DataMask>;
  /** Resources that name a Binary. */
  naming: Set<number>;
  /** Binaries that had other labels before. */
  relabeled: Set<number>;
  /** Empty until all labels are known. */
  attachable: AttachableBinaries;
}

export const createBinaryFindings = (): BinaryFindings => ({
  binaries: new Map(),
  naming: new Set(),
  relabeled: new Set(),
  attachable: new Map(),
});

/**
 * Finds which resources may have the text of which Binaries, and returns those that have another text for it than they were built
 * with, with the classes that they have. The first time, what names a Binary was built without any, and what was there before as
 * its labels were then; later, those differ that may have the text of others than before.
 */
export async function findAffectedByBinaries({
  db,
  patientId,
  naming,
  binaries,
  relabeled,
  attachable,
  isAttached,
}: BinaryFindings & { db: Queryable; patientId: PatientId; isAttached: boolean }): Promise<
  Map<number, DataMask>
> {
  const links = await db.query(findBinaryLinks(patientId));
  if (links.length === 0) return new Map();
  const named = [...new Set(links.map((each) => each.binary_seq))];
  const stored = await db.query(findStoredLabels(patientId, named));
  const labels = new Map(stored.map((row) => [row.seq, row.required_labels]));
  const former = new Map(attachable);
  attachable.clear();
  for (const [seq, ids] of findAttachable(links, labels)) attachable.set(seq, ids);
  const affected = links.filter(({ seq, binary_seq: binary }) => {
    if (isAttached || naming.has(seq)) return !isSameSet(former.get(seq), attachable.get(seq));
    return binaries.has(binary) || relabeled.has(binary);
  });
  return new Map(affected.map((link) => [link.seq, intersectMasks(link.required_labels, RESTRICTED_MASK)]));
}

const isSameSet = (one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): boolean =>
  one.size === other.size && one.isSubsetOf(other);

/** The resources of which attachments are notes, and the elements that hold these. */
const LISTS: Readonly<Record<string, string>> = {
  DiagnosticReport: 'presentedForm',
  DocumentReference: 'content',
};

/** Only the first resources that name a Binary have its text: ten thousand that name one letter would hold it as often. */
const MAX_NAMING = 10;

/**
 * Returns the Binaries that resources may have the text of: those that require no more than the resource. What a report of another
 * category names too requires that as well, and is read by itself, under a consent for both.
 */
function findAttachable(
  links: readonly BinaryLink[],
  labels: ReadonlyMap<number, DataMask>,
): AttachableBinaries {
  const attachable: AttachableBinaries = new Map();
  const named = new Map<string, number>();
  for (const { seq, required_labels: required, binary_seq: binary, binary_id: id, is_context } of links) {
    if (is_context) continue;
    const count = named.get(id) ?? 0;
    const isCovered = required >= 0 && ((labels.get(binary) ?? ALL_LABELS) & ~required) === 0;
    if (!isCovered || count === MAX_NAMING) continue;
    named.set(id, count + 1);
    attachable.set(seq, (attachable.get(seq) ?? new Set()).add(id));
  }
  return attachable;
}

/**
 * Creates a loader that looks up the Binaries of a page at once. An attachment that names one is read as if it held its content,
 * each Binary once in a resource.
 */
export function createBinaryLoader(
  patientId: PatientId,
  attachable: ReadonlyMap<number, ReadonlySet<string>>,
): LoadBinaries {
  return async (on, parsed) => {
    const listOwn = ({ row: { seq }, resource }: ParsedRow): string[] => {
      const ids = attachable.get(seq);
      return ids === undefined ? [] : listBinaries(resource).filter((id) => ids.has(id));
    };
    const named = parsed.map(listOwn);
    const ids = named.flat();
    const found = ids.length === 0 ? [] : await on.query(findBodiesByIds(patientId, 'Binary', ids));
    const documents = found.map((row) => ({ row, resource: parseResource(row.body) }));
    const byId = new Map(documents.map(({ row, resource }) => [row.fhir_id, resource]));
    const rows = parsed.map((each, index) => {
      const own = (named[index] ?? []).filter((id) => byId.has(id));
      const resource = own.length === 0 ? each.resource : complete(each.resource, new Set(own), byId);
      return { ...each, resource, written: each.resource, binaries: own.map((id) => `Binary/${id}`) };
    });
    return { rows, documents };
  };
}

const ADDRESS = /^Binary\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.*)?$/;

const readId = (attachment: Element): string | null =>
  attachment['data'] === undefined ? (ADDRESS.exec(readText(attachment['url']) ?? '')?.[1] ?? null) : null;

/** Lists the ids of the Binaries that attachments name, each once. */
function listBinaries(resource: ParsedResource): string[] {
  const ids = new Set<string>();
  changeAttachments(resource, (attachment) => {
    const id = readId(attachment);
    if (id !== null) ids.add(id);
    return attachment;
  });
  return [...ids];
}

/** Copies a resource with the content of its Binaries in the first attachment that names each. */
function complete(
  resource: ParsedResource,
  own: Set<string>,
  byId: ReadonlyMap<string, ParsedResource>,
): ParsedResource {
  return changeAttachments(resource, (attachment) => {
    const id = readId(attachment) ?? '';
    const binary = byId.get(id);
    if (!own.delete(id) || binary?.['data'] === undefined) return attachment;
    const contentType = binary['contentType'] ?? attachment['contentType'];
    return { ...attachment, contentType, data: binary['data'] };
  });
}

/** Copies a resource with its attachments changed, at their places. */
function changeAttachments(
  resource: ParsedResource,
  change: (attachment: Element) => Element,
): ParsedResource {
  const name = LISTS[resource.resourceType];
  const members = name === undefined ? undefined : resource[name];
  if (name === undefined || members === undefined) return resource;
  const changeMember = (member: unknown): unknown => {
    if (Array.isArray(member)) return member;
    const element = toElement(member);
    if (element === null || name === 'presentedForm') return element && change(element);
    const attachment = Array.isArray(element['attachment']) ? null : toElement(element['attachment']);
    return attachment === null ? element : { ...element, attachment: change(attachment) };
  };
  return {
    ...resource,
    [name]: Array.isArray(members) ? (members as unknown[]).map(changeMember) : changeMember(members),
  };
}

/** Leaves to the next page what would bring more content than a page has: resources are read with the Binaries that they name. */
export async function limitBinaryBytes(
  on: Queryable,
  patientId: PatientId,
  { rows, attachable }: { rows: ResourceRow[]; attachable: AttachableBinaries },
): Promise<ResourceRow[]> {
  const named = rows.map(({ seq }) => [...(attachable.get(seq) ?? [])]);
  const ids = named.flat();
  if (ids.length === 0) return rows;
  const sizes = new Map(
    (await on.query(findBinarySizes(patientId, ids))).map(({ fhir_id: id, bytes }) => [id, bytes]),
  );
  let sum = 0;
  const end = named.findIndex((each, index) => {
    for (const id of each) sum += sizes.get(id) ?? 0;
    return index > 0 && sum > MAX_PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
