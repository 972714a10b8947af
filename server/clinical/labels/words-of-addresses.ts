import { isUnclear } from './names-of-targets.ts';

const BY_ID = /^(?:(.*)\/)?[A-Z][A-Za-z]{1,63}\/([A-Za-z0-9.-]{1,64})(?:\/_history\/.*)?$/;
const RANDOM = /^(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/i;
const URN = /^urn:(?:uuid|oid):/i;

/**
 * Lists what of the address of a reference, written as most do, may be words: that of the server, the id, or all of a search. A type is
 * none, and neither is an id that is a number or a UUID.
 */
export function listAddressNames(address: string | null): string[] {
  if (address === null || URN.test(address)) return [];
  const [, server, id] = BY_ID.exec(address) ?? [];
  if (id === undefined) return isUnclear(address) ? [address] : [];
  return [server, RANDOM.test(id) ? undefined : id].filter((name) => name !== undefined);
}

/** Lists the same of the patient, whose id stands in each resource: the address of the server alone. */
export const listServerNames = (address: string | null): string[] =>
  address === null || !address.includes('://') ? [] : listAddressNames(address).slice(0, 1);
