import type { AccountApi } from '../account-api.ts';
import { Refusal } from '../../kit/http/refusal.ts';

/** An IP address has no passkeys (WebAuthn §5.1.3: the effective domain must be one), and no browser offers them there. */
export const canUsePasskeys = (): boolean => isWebAuthnSupported() && !/^[\d.]+$|^\[/.test(location.hostname);

/** Browsers offer it over https only, and on localhost. */
export const isWebAuthnSupported = (): boolean => 'PublicKeyCredential' in window;

/** How the browser's dialog ended. It reports a person's no and their silence alike. */
export type PasskeyOutcome = 'done' | 'cancelled' | 'known' | 'failed';

/** The library is loaded when it is used. */
export const loadWebAuthn = async () => import('@simplewebauthn/browser');

export type WebAuthnOptions<Start extends 'startRegistration' | 'startAuthentication'> = Parameters<
  Awaited<ReturnType<typeof loadWebAuthn>>[Start]
>[0]['optionsJSON'];

/** Signs in by a passkey of this device, or of one nearby. */
export async function signInByPasskey(api: AccountApi): Promise<PasskeyOutcome> {
  const { options } = await api.beginPasskeySignIn();
  try {
    const { startAuthentication } = await loadWebAuthn();
    const response = await startAuthentication({
      optionsJSON: options as unknown as WebAuthnOptions<'startAuthentication'>,
    });
    await api.signInByPasskey({ ...response });
    return 'done';
  } catch (error) {
    return toPasskeyOutcome(error);
  }
}

/** What an error of the browser means; a refusal of the service is thrown on. */
export function toPasskeyOutcome(error: unknown): PasskeyOutcome {
  if (error instanceof Refusal) throw error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  return name === 'InvalidStateError' ? 'known' : 'failed';
}
