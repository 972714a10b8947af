import net from 'node:net';
import { OutboundFailedError, OutboundRefusedError } from './outbound-error.ts';
import { isPublicAddress, isPublicOrPrivateAddress } from './public-address.ts';
import type { ResolvedAddress } from './request.ts';
import { createNameResolver } from './resolve-name.ts';
import type { Target } from './target.ts';

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface GuardOptions {
  resolve?: Resolve;
  permits?: (address: string, allowPrivate: boolean) => boolean;
}

/** The addresses of a target, every one of which passes: what may be connected to, and nothing else. */
export type Guard = (target: Target, allowPrivate: boolean) => Promise<readonly ResolvedAddress[]>;

export function createGuard({ resolve = createNameResolver(), permits = isPermitted }: GuardOptions): Guard {
  return async ({ host, isAddress }, allowPrivate) => {
    const addresses = isAddress ? [toResolvedAddress(host)] : await resolveHost(resolve, host);
    if (!addresses.every(({ address }) => permits(address, allowPrivate))) {
      throw new OutboundRefusedError('address_not_public');
    }
    return addresses;
  };
}

const toResolvedAddress = (address: string): ResolvedAddress => ({
  address,
  family: net.isIPv6(address) ? 6 : 4,
});

const isPermitted = (address: string, allowPrivate: boolean): boolean =>
  allowPrivate ? isPublicOrPrivateAddress(address) : isPublicAddress(address);

async function resolveHost(resolve: Resolve, host: string): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new OutboundFailedError('name_not_resolved');
  return addresses;
}
