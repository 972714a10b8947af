import type { LookupFunction } from 'node:net';
import type { ResolvedAddress } from './request.ts';

/** DNS was asked before, once: this only repeats what was checked, so a second answer cannot differ. */
export const createPinnedLookup =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
