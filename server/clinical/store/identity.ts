import { hash } from 'node:crypto';
import { deriveUuid } from '../../../documents/fhir/derive-uuid.ts';
import type { FoundResource } from './found-resource.ts';

/** What identifies a resource where it came from. */
export interface SourceIdentity {
  type: string;
  /** The id it has there; for a resource without one the UUID of its fullUrl, else a hash of its bytes. */
  sourceId: string;
  /** Base address of the server an absolute fullUrl names, else of the one the upload was fetched from, or ''. */
  origin: string;
}

/**
 * Names are found by an index, whose entries have 2,704 bytes at most, and a character up to three: longer names would end
 * the whole upload. Nothing is found by a longer reference or identifier; a longer id is known by its hash.
 */
export const MAX_NAME_LENGTH = 500;
const MAX_ID_LENGTH = 200;

/** FHIR R4 `id`. */
const ID = /^[A-Za-z0-9\-.]{1,64}$/;
const ABSOLUTE =
  /^(https?:\/\/.+)\/([A-Z][A-Za-z]+)\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;
const URN_UUID = /^urn:uuid:([0-9a-f-]{36})$/i;

/** Returns the identity of a resource; `from` is the origin of one that does not name its own. */
export function getSourceIdentity({ resource, fullUrl, text }: FoundResource, from: string): SourceIdentity {
  const type = resource.resourceType;
  // No valid id has a NUL, and no database text; the record gives such a resource an id of its own.
  const own =
    typeof resource.id === 'string' && resource.id !== '' ? resource.id.replaceAll('\0', '\ufffd') : null;
  const absolute = fullUrl === null ? null : parseAbsolute(fullUrl);
  const named = absolute && absolute.type === type && (own === null || own === absolute.id) ? absolute : null;
  const urn = fullUrl === null ? null : URN_UUID.exec(fullUrl)?.[1]?.toLowerCase();
  return {
    type,
    origin: named?.base ?? from,
    sourceId: shortenId(own ?? urn ?? named?.id ?? null) ?? toHashId(text),
  };
}

const toHashId = (text: string): string => `sha256-${hashText(text).toString('hex').slice(0, 40)}`;

const shortenId = (id: string | null): string | null =>
  id !== null && id.length > MAX_ID_LENGTH ? toHashId(id) : id;

export function parseAbsolute(url: string): { base: string; type: string; id: string } | null {
  const match = url.length > MAX_NAME_LENGTH ? null : ABSOLUTE.exec(url);
  return match && { base: match[1] as string, type: match[2] as string, id: match[3] as string };
}

export const hashText = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Finds the resource that is meant among those that share a type and an id. Where a document does not say where its ids are
 * from, the same id means the same resource; two servers that are known and differ are never mixed up.
 */
export function findByOrigin<T extends { origin: string }>(
  candidates: readonly T[],
  origin: string,
): T | undefined {
  return (
    candidates.find((candidate) => candidate.origin === origin) ??
    (origin === '' ? candidates[0] : candidates.find((candidate) => candidate.origin === ''))
  );
}

/** Returns the id in this record: the resource's own where that is valid and free, else a UUID derived from its source. */
export function assignRecordId(identity: SourceIdentity, isFree: (id: string) => boolean): string {
  if (ID.test(identity.sourceId) && isFree(identity.sourceId)) return identity.sourceId;
  return deriveUuid(`${identity.origin}|${identity.type}|${identity.sourceId}`);
}

/**
 * Returns a function that names the source of a resource by a UUID. A server is one source however many files it is exported
 * in; where none is named, each document of each upload is one: two hospitals may both call theirs "record.xml".
 */
export function createSourceKeys(): (row: {
  origin: string;
  first_batch_id: string;
  document_path: string;
}) => string {
  const known = new Map<string, string>();
  return ({ origin, first_batch_id, document_path }) => {
    const name = origin === '' ? `${first_batch_id}|${document_path}` : origin;
    const uuid = known.get(name) ?? deriveUuid(name);
    known.set(name, uuid);
    return uuid;
  };
}
