import { hash } from 'node:crypto';
import { deriveUuid } from '../../../documents/fhir/derive-uuid.ts';
import type { FoundResource } from './found-resource.ts';

/** What identifies a resource where it came from. */
export interface SourceIdentity {
  type: string;
  /** The id it has there; for a resource without one the UUID of its fullUrl, else a hash of its bytes. */
  sourceId: string;
  /**
   * Base address of the server that the resource was fetched from, else of the one that an absolute fullUrl names, or ''; for
   * a system that nothing names, but that is another one than those before, a `urn:uuid:…`.
   */
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

/**
 * Returns the identity of a resource; `from` is the server that it was fetched from, or ''. What a server sends counts under its
 * own address alone: a fullUrl of another would change that one's facts.
 */
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
    origin: from === '' ? (named?.base ?? '') : from,
    sourceId: shortenId(own ?? urn ?? named?.id ?? null) ?? toHashId(text),
  };
}

const toHashId = (text: string): string => `sha256-${hashText(text).toString('hex').slice(0, 40)}`;

const shortenId = (id: string | null): string | null =>
  id !== null && id.length > MAX_ID_LENGTH ? toHashId(id) : id;

export function parseAbsolute(url: string): { base: string; type: string; id: string } | null {
  const match = url.length > MAX_NAME_LENGTH ? null : ABSOLUTE.exec(lowerScheme(url));
  return match && { base: match[1] as string, type: match[2] as string, id: match[3] as string };
}

/** Writes the scheme of a server's address as most do (RFC 3986 §3.1: in either case). */
export const lowerScheme = (url: string): string =>
  url.replace(/^https?:\/\//i, (scheme) => scheme.toLowerCase());

export const hashText = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Says whether an origin is no server's address: the document does not say where its ids are from. */
export const isNameless = (origin: string): boolean => origin === '' || origin.startsWith('urn:');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LONG_HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{24,}$/i;

/** Long ones of small and capital letters and digits, each often followed by one of another kind. */
const MIN_MIXED_LENGTH = 20;
const MIN_CHANGES = 6;
const CHANGE = /[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g;

/** Says whether no two systems give an id to two resources by chance: a UUID, a hash, or what vendors make of random bytes. */
export function isUniqueId(id: string): boolean {
  if (UUID.test(id) || LONG_HEX.test(id) || id.startsWith('sha256-')) return true;
  return id.length >= MIN_MIXED_LENGTH && (id.match(CHANGE)?.length ?? 0) >= MIN_CHANGES;
}

/**
 * Finds what a reference means among resources that share a type and an id: the one of the same origin, else one whose origin is
 * not known, where the origin of the reference is, and the other way round. `connected` are the origins of connected servers:
 * neither do the ids of an upload mean their resources, nor theirs those of an upload.
 */
export function findReferenced<T extends { origin: string }>(
  candidates: readonly T[],
  { origin, id }: { origin: string; id: string },
  connected: ReadonlySet<string>,
): T | undefined {
  const exact = candidates.find((candidate) => candidate.origin === origin);
  if (exact) return exact;
  const isUnique = isUniqueId(id);
  return candidates.find((candidate) => {
    if (isNameless(origin) === isNameless(candidate.origin)) return isUnique && isNameless(origin);
    return isUnique || !(connected.has(origin) || connected.has(candidate.origin));
  });
}

/** Returns the id in this record: the resource's own where that is valid and free, else a UUID derived from its source. */
export function assignRecordId({ type, sourceId, origin }: SourceIdentity, isFree: boolean): string {
  if (isFree && ID.test(sourceId)) return sourceId;
  return deriveUuid(`${origin}|${type}|${sourceId}`);
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
    const name = isNameless(origin) ? `${first_batch_id}|${document_path}` : origin;
    const uuid = known.get(name) ?? deriveUuid(name);
    known.set(name, uuid);
    return uuid;
  };
}
