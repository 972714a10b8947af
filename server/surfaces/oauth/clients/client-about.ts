import net from 'node:net';
import { z } from 'zod';
import type { ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';

/** What a client says about itself besides its name (RFC 7591 §2), for a person to follow. Nobody has checked any of it. */
export interface ClientAbout {
  clientUri: string | null;
  policyUri: string | null;
  tosUri: string | null;
  /** E-mail addresses. */
  contacts: string[];
}

const MAX_URI_LENGTH = 1000;
const MAX_CONTACTS = 3;

/**
 * Returns what can be shown of it, or null where there is nothing. The rest is left out instead of refused, and the answer
 * of a registration says what was kept (§3.2.1): many clients send `http://localhost` as their page.
 */
export function parseClientAbout(metadata: z.infer<typeof ClientRegistrationRequest>): ClientAbout | null {
  const about = {
    clientUri: parsePageUri(metadata.client_uri),
    policyUri: parsePageUri(metadata.policy_uri),
    tosUri: parsePageUri(metadata.tos_uri),
    contacts: (metadata.contacts ?? []).filter(isEmail).slice(0, MAX_CONTACTS),
  };
  const { contacts, ...uris } = about;
  return contacts.length > 0 || Object.values(uris).some((uri) => uri !== null) ? about : null;
}

/** Parses what was stored by `parseClientAbout`. */
export const readClientAbout = (json: string | null): ClientAbout | null =>
  json === null ? null : (JSON.parse(json) as ClientAbout);

/** An https address of a name, not of a number or of this device, and in the one spelling that shows its host as it is. */
function parsePageUri(text: string | null = ''): string | null {
  const url = text !== null && text.length <= MAX_URI_LENGTH ? URL.parse(text) : null;
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  const { hostname, href } = url;
  const isName = /[^.]\.[^.]+$/.test(hostname) && net.isIP(hostname) === 0;
  return isName && href.length <= MAX_URI_LENGTH ? href : null;
}

/** The pattern takes ASCII alone, so that an address is what it looks like. */
const isEmail = (text: string): boolean => text.length <= 254 && z.email().safeParse(text).success;
