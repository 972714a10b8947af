import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { Registration } from './authenticator-response.ts';
import type { RelyingParty } from './relying-party.ts';

/** EdDSA, ES256 and RS256 by their COSE numbers, as WebAuthn §5.4 recommends. */
export const ALGORITHMS = [-8, -7, -257];

export interface VerifiedCredential {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: readonly string[];
}

/** Verifies a registration by WebAuthn §7.1; returns null for whatever is wrong. */
export async function verifyRegistration(
  party: RelyingParty,
  { response, challenge }: { response: Registration; challenge: string },
): Promise<VerifiedCredential | null> {
  if (!isUnattested(response.response.attestationObject)) return null;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {}, response: withTransports(response.response) },
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo?.credential.id !== response.id) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: Buffer.from(response.id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: response.response.transports ?? [],
    };
  } catch {
    return null;
  }
}

const withTransports = ({ transports = [], ...rest }: Registration['response']) => ({
  ...rest,
  transports,
});

/**
 * Returns whether a registration carries no attestation, or only one that its own key signed. We request none
 * (§5.4.7); for all others the library would fetch the revocation lists that certificates name, past our guard for
 * outbound requests.
 */
function isUnattested(attestationObject: string): boolean {
  try {
    const object = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    const format = object.get('fmt');
    return format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}
