import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Email } from '../../../contract/brands.ts';
import { Refusal, type FieldError } from '../../platform/kernel/refusal.ts';

/** Whose password it is: what stands in these is guessed first. */
export interface PasswordContext {
  email: Email;
  names: readonly string[];
}

export interface PasswordRule {
  /** Returns what is wrong with a new password apart from its length, which the contract checks. */
  validate(password: string, context: PasswordContext): Promise<FieldError[]>;
}

/** Shorter names of an address would refuse by chance. */
const MIN_NAME_LENGTH = 4;

/** Below 10^8 guesses: a password of the lists with a year behind it, a row of keys, a repetition. */
const MIN_SCORE = 3;

/** More makes no password weaker, and takes longer to estimate: 64 characters take 55 ms at most. */
const MAX_ESTIMATED = 64;

/** Words of this service and of health, beside the published lists. */
const CONTEXT_WORDS = ['chartgate', 'contrasena', 'password', 'salud', 'health', 'patient', 'paciente'];

/**
 * Creates the blocklist that NIST SP 800-63B §3.1.1.2 demands: passwords that are commonly used, expected, or made of the
 * context. The lists are loaded at the first password: they take 80 ms and 20 MB.
 */
export function createPasswordRule(): PasswordRule {
  let loading: Promise<ZxcvbnFactory> | undefined;
  return {
    async validate(password, { email, names }) {
      if (containsAddress(password, email))
        return [{ path: 'password', message: 'must not contain the e-mail address' }];
      const estimator = await (loading ??= loadEstimator());
      const words = [...CONTEXT_WORDS, ...email.split(/[^\p{L}\p{N}]+/u), ...names].map(fold);
      const beginning = Array.from(password).slice(0, MAX_ESTIMATED).join('');
      const isWeak = [beginning, fold(beginning)].some(
        (spelling) => estimator.check(spelling, words).score < MIN_SCORE,
      );
      return isWeak
        ? [{ path: 'password', message: 'is easy to guess: a common password, a sequence or a repetition' }]
        : [];
    },
  };
}

/** Throws `weak_password` for a new password that the rule refuses. */
export async function requireStrongPassword(
  rule: PasswordRule,
  password: string,
  context: PasswordContext,
): Promise<void> {
  const errors = await rule.validate(password, context);
  if (errors.length > 0)
    throw new Refusal(400, 'weak_password', { detail: 'This password is easy to guess.', errors });
}

function containsAddress(password: string, email: Email): boolean {
  const candidate = password.toLowerCase();
  const name = email.slice(0, email.lastIndexOf('@'));
  return candidate.includes(email) || (name.length >= MIN_NAME_LENGTH && candidate.includes(name));
}

/** Lower case without diacritics, as the lists are. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    maxLength: MAX_ESTIMATED,
  });
}
