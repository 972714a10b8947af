import { z } from 'zod';
import type { MemberId, PatientId } from '../../../../contract/brands.ts';

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/);

/** By WebAuthn §7.1, step 26, and §7.2 an id has at most 1,023 bytes. */
const CredentialId = Base64Url.max(1364);

const credential = { id: CredentialId, rawId: CredentialId, type: z.literal('public-key') };

/** The RegistrationResponseJSON of WebAuthn, as far as it is read here. */
export const Registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .optional(),
  }),
});

export type Registration = z.infer<typeof Registration>;

/**
 * The AuthenticationResponseJSON of WebAuthn; `userHandle` is required, because nobody types a name to sign in by
 * passkey.
 */
export const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url,
  }),
});
export type Assertion = z.infer<typeof Assertion>;

/** The same of somebody who is signed in: an authenticator that was given the ids may leave the handle out (§7.2, step 6). */
export const KnownAssertion = Assertion.extend({
  response: Assertion.shape.response.extend({ userHandle: Base64Url.optional() }),
});
export type KnownAssertion = z.infer<typeof KnownAssertion>;

/** Returns a person's id as bytes: by WebAuthn §5.4.3 a user handle holds no other data about the person. */
export const toUserHandle = (personId: PatientId | MemberId): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(personId.replaceAll('-', ''), 'hex'));
