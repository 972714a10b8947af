import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ClientRegistration, ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { ClientAbout } from './client-about.ts';
import { validateClientMetadata } from './client-metadata.ts';
import { insertClient } from './clients.sql.ts';

export interface Deps {
  db: Db;
  clock: Clock;
}

/**
 * Registers a public client (RFC 7591 §3) under a random id, which does not reveal the time of registration. Throws
 * `access_denied` when no organization takes new registrations.
 */
export async function registerClient(
  { db, clock }: Deps,
  metadata: z.infer<typeof ClientRegistrationRequest>,
): Promise<ClientRegistration> {
  const client = validateClientMetadata(toPublicClient(metadata));
  const { clientName, redirectUris, grantTypes, scope, about } = client;
  const clientId = randomUUID();
  const issuedAt = clock.now();
  const inserted = await maybeOne(
    db,
    insertClient(
      {
        client_id: clientId,
        client_name: clientName,
        redirect_uris: redirectUris,
        grant_types: grantTypes,
        scope,
        about: about && JSON.stringify(about),
      },
      issuedAt,
    ),
  );
  if (!inserted) throw registrationsClosed();
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(issuedAt.getTime() / 1000),
    client_secret_expires_at: 0,
    ...(clientName !== null && { client_name: clientName }),
    ...(about && toRegisteredAbout(about)),
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: grantTypes ?? listUsableGrantTypes(scope),
    response_types: ['code'],
    scope,
  };
}

/**
 * RFC 7591 §3.2.1: what a client that named no grant types may use. The default of §2 would deny the refresh tokens that it gets where
 * it asks for offline_access.
 */
const listUsableGrantTypes = (scope: string): ClientRegistration['grant_types'] => [
  'authorization_code',
  ...(scope.includes('offline_access') ? ['refresh_token'] : []),
];

const registrationsClosed = (): Refusal =>
  new Refusal(403, 'access_denied', {
    detail: 'New apps are not registered here; those that are known go on.',
  });

const toRegisteredAbout = ({ clientUri, policyUri, tosUri, contacts }: ClientAbout) => ({
  ...(clientUri !== null && { client_uri: clientUri }),
  ...(policyUri !== null && { policy_uri: policyUri }),
  ...(tosUri !== null && { tos_uri: tosUri }),
  ...(contacts.length > 0 && { contacts }),
});

const SECRET_METHODS: readonly (string | null | undefined)[] = ['client_secret_basic', 'client_secret_post'];

/**
 * Registers clients that request a secret as public ones. RFC 7591 §2 makes the secret the default, so some clients request
 * it unasked; the response says `none` (§3.2.1) and carries no secret.
 */
const toPublicClient = (metadata: z.infer<typeof ClientRegistrationRequest>): typeof metadata =>
  SECRET_METHODS.includes(metadata.token_endpoint_auth_method)
    ? { ...metadata, token_endpoint_auth_method: 'none' }
    : metadata;
