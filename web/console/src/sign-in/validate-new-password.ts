import type { Validator } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';

/** NIST SP 800-63B §3.1.1: length rather than composition, counted in code points; the service looks for weak ones. */
export function useNewPasswordValidator(): Validator {
  const { setup } = useSignInWords();
  return (value) => (Array.from(value).length < 12 ? setup.passwordShort : null);
}
