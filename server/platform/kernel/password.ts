import { randomInt } from 'node:crypto';
import argon2 from 'argon2';

/** OWASP's argon2id setting for servers: 19 MiB, two passes, one lane; about 20 ms here. */
const COST = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => argon2.hash(password, COST);

export const verifyPassword = (hash: string, password: string): Promise<boolean> =>
  argon2.verify(hash, password);

let dummyHash: Promise<string> | undefined;

/** Takes as long as a real verification and returns false: for accounts that do not exist. */
export async function verifyDummyPassword(password: string): Promise<false> {
  dummyHash ??= hashPassword('no account has this password');
  await verifyPassword(await dummyHash, password);
  return false;
}

/** Letters and digits that are not mistaken for each other when typed from paper. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates 20 characters, 115 bits. */
export const generatePassword = (): string =>
  Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
