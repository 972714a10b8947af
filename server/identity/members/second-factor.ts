import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { MemberId } from '../../../contract/brands.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import type { SecretSeal } from '../../platform/keys/secret-seal.ts';
import { hashSecret } from '../../platform/kernel/secret.ts';
import * as statements from './factors.sql.ts';
import { toTotpPurpose } from './stored-secrets.ts';

const PERIOD_SECONDS = 30;

/** Steps that the clock of a telephone may be behind or ahead (RFC 6238 §5.2). */
const DRIFT = 1;

const RECOVERY_CODES = 10;

/** RFC 4648 §6, lower case: 16 characters are 80 bits. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

const createTotp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Chartgate', label, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });

/** Generates a secret of 160 bits, as RFC 4226 §4 recommends, in Base32. */
export const generateTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** The address that an authenticator app reads from a QR code. */
export const buildTotpUri = (secret: string, email: string): string => createTotp(secret, email).toString();

/** Returns the time step of a code that is right now, or was or will be within half a minute; null for a wrong one. */
export function findTotpStep(secret: string, code: string, now: Date): number | null {
  const delta = createTotp(secret).validate({ token: code, timestamp: now.getTime(), window: DRIFT });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

interface FactorUse {
  code: string;
  now: Date;
  secrets: SecretSeal;
}

/** Uses up a code of the app or a recovery code, in the transaction of what it permits; false for a wrong or used one. */
export async function useFactor(
  tx: Tx,
  member: { member_id: MemberId; totp_secret: string | null },
  { code, now, secrets }: FactorUse,
): Promise<boolean> {
  const { member_id: memberId, totp_secret: stored } = member;
  if (!isTotpCode(code))
    return (await maybeOne(tx, statements.deleteRecoveryCode(memberId, hashRecoveryCode(code)))) !== null;
  if (stored === null) return false;
  const step = findTotpStep(await secrets.open(toTotpPurpose(memberId), stored), code, now);
  if (step === null) return false;
  return (await maybeOne(tx, statements.claimTotpStep(memberId, stored, step))) !== null;
}

/** Replaces a member's recovery codes; they are returned only here. */
export async function renewRecoveryCodes(tx: Tx, memberId: MemberId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode);
  await tx.query(statements.deleteRecoveryCodes(memberId));
  await tx.query(statements.insertRecoveryCodes(memberId, codes.map(hashRecoveryCode)));
  return codes;
}

const generateRecoveryCode = (): string =>
  Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');

/** People leave out the dashes, and write capitals. */
const hashRecoveryCode = (code: string): Buffer => hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, ''));
