import {
  buildRedirectUri,
  createOidcProvider,
  type OidcConfig,
} from '../../identity/members/oidc/provider.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts';
import { createFinding, type Finding } from './finding.ts';

/** Fetches the metadata of the identity provider, and signs nobody in: a wrong client secret shows at the first sign-in. */
export async function checkIdentityProvider(config: OidcConfig | null, baseUrl: string): Promise<Finding> {
  if (config === null) return createFinding('no_identity_provider');
  const { host } = new URL(config.issuer);
  try {
    await createOidcProvider({ outbound: createOutboundClient(), baseUrl }, config).begin({ isAgain: false });
    return createFinding('identity_ok', { host, redirectUri: buildRedirectUri(baseUrl) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return createFinding('identity_wrong', { host, reason: error.reason ?? error.code });
  }
}
