import {
  buildRedirectUri,
  createOidcProvider,
  type OidcConfig,
} from '../../server/identity/members/oidc/provider.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { createOutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { failed, ok, skipped, type Finding } from './finding.ts';

/** Fetches the metadata of the identity provider, and signs nobody in: a wrong client secret shows at the first sign-in. */
export async function checkIdentityProvider(config: OidcConfig | null, baseUrl: string): Promise<Finding> {
  if (config === null) return skipped('identity', 'No identity provider is configured.');
  const { host } = new URL(config.issuer);
  try {
    await createOidcProvider({ outbound: createOutboundClient(), baseUrl }, config).begin({ isAgain: false });
    return ok('identity', `${host} answers; its client needs the redirect URI ${buildRedirectUri(baseUrl)}.`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failed(
      'identity',
      `${host} does not answer as an OpenID Connect provider: ${error.reason ?? error.code}.`,
      'Correct CHARTGATE_OIDC_ISSUER: below it is /.well-known/openid-configuration, which names it as its issuer.',
    );
  }
}
