import type { InputFault } from '../kernel/refusal.ts';

/** NIST SP 800-63B §3.1.1.2: words of the context are the first that are guessed. Shorter names would refuse by chance. */
const SHORTEST_NAME = 4;

/** What is wrong with a new password beyond its length, which the contract checks. */
export function passwordFaults(password: string, email: string): InputFault[] {
  const given = password.toLowerCase();
  const address = email.toLowerCase();
  const name = address.slice(0, address.lastIndexOf('@'));
  const contained = given.includes(address) || (name.length >= SHORTEST_NAME && given.includes(name));
  return contained ? [{ path: 'password', message: 'must not contain the e-mail address' }] : [];
}
