import type { Email } from '../../../contract/brands.ts';
import type { FieldError } from '../../platform/kernel/refusal.ts';

/** NIST SP 800-63B §3.1.1.2: words of the context are guessed first. Shorter names would refuse by chance. */
const MIN_NAME_LENGTH = 4;

/** Returns what is wrong with a new password apart from its length, which the contract checks. */
export function validatePassword(password: string, email: Email): FieldError[] {
  const candidate = password.toLowerCase();
  const name = email.slice(0, email.lastIndexOf('@'));
  const contained = candidate.includes(email) || (name.length >= MIN_NAME_LENGTH && candidate.includes(name));
  return contained ? [{ path: 'password', message: 'must not contain the e-mail address' }] : [];
}
