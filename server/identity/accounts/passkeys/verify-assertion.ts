import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { KnownAssertion } from './authenticator-response.ts';
import type { RelyingParty } from './relying-party.ts';

interface AssertionCheck {
  assertion: KnownAssertion;
  passkey: { public_key: Buffer; counter: number };
  challenge: string;
}

/** Verifies an assertion by WebAuthn §7.2; returns the new signature counter, null for whatever is wrong. */
export async function verifyAssertion(
  { id, origins }: RelyingParty,
  { assertion, passkey, challenge }: AssertionCheck,
): Promise<number | null> {
  const { userHandle, ...response } = assertion.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        clientExtensionResults: {},
        response: { ...response, ...(userHandle !== undefined && { userHandle }) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: id,
      credential: {
        id: assertion.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
