import { createHash } from 'node:crypto';
import type { ClientAppId } from '../../../../contract/brands.ts';
import { toSkeleton } from '../clients/skeleton.ts';
import { describeRedirectUri } from '../clients/redirect-uri.ts';

/** What is known of a client when it asks. */
interface AskingClient {
  clientId: string;
  name: string | null;
  /** The host of its document; null: it registered itself. */
  host: string | null;
  redirectUri: string;
}

/** An app, whatever id its client has today. */
export interface AppIdentity {
  appId: ClientAppId;
  documentUrl: string | null;
  /** null: a program on the patient's device. */
  redirectHost: string | null;
  name: string | null;
  /**
   * What a block may name that catches it; the first is what a block of this app names. A host stands for whoever runs it:
   * the code is sent there, whatever the client calls itself and however often it registers. A program on the patient's
   * device proves nothing, so that its name is all there is: as it looks, since another spelling is another name.
   */
  targets: readonly string[];
}

export function identifyApp({ clientId, name, host, redirectUri }: AskingClient): AppIdentity {
  const documentUrl = host === null ? null : clientId;
  const redirectHost = findRedirectHost(redirectUri);
  const hosts = [...new Set([host, redirectHost])].filter((each) => each !== null);
  return {
    appId: toAppId([documentUrl, redirectHost, name]),
    documentUrl,
    redirectHost,
    name,
    targets: hosts.length > 0 ? hosts.map((each) => `host:${each}`) : listDeviceTargets(name ?? ''),
  };
}

/** Blocks of before name a program's ™ as the letters that it is made of, and hold on. */
const listDeviceTargets = (name: string): string[] => {
  const lettered = name.replaceAll('™', 'TM').replaceAll('℠', 'SM');
  return [...new Set([name, lettered].map((each) => `device:${toSkeleton(each)}`))];
};

/** A host with the root's dot, as requests of before have it, is the host without it. */
function findRedirectHost(redirectUri: string): string | null {
  const { onThisDevice } = describeRedirectUri(redirectUri);
  return onThisDevice ? null : new URL(redirectUri).hostname.replace(/(?<!\.)\.+$/, '');
}

/** None of the parts has a line break. The migration computes the same of what came before. */
function toAppId(parts: readonly (string | null)[]): ClientAppId {
  const hex = createHash('sha256')
    .update(parts.map((part) => part ?? '').join('\n'))
    .digest('hex');
  return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5') as ClientAppId;
}

/** What a judgement of this very app names: another name, document or host is another app. */
export const toOwnTarget = (appId: ClientAppId): string => `app:${appId}`;
