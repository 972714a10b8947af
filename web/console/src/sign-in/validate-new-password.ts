import { MAX_PASSWORD_LENGTH } from '../../../../contract/text-limits.ts';
import type { Validator } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';

/** NIST SP 800-63B §3.1.1: length rather than composition, counted in code points; the service looks for weak ones. */
export function useNewPasswordValidator(): Validator {
  const { setup } = useSignInWords();
  return (value) => {
    const { length } = Array.from(value);
    if (length < 12) return setup.passwordShort;
    return length > MAX_PASSWORD_LENGTH ? setup.passwordLong : null;
  };
}
