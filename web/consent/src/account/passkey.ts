import type { Api } from '../api/api.ts';
import { Refusal } from '../api/refusal.ts';

/** An IP address has no passkeys (WebAuthn §5.1.3: the effective domain must be one), and no browser offers them there. */
export const canUsePasskeys = (): boolean => isWebAuthnSupported() && !/^[\d.]+$|^\[/.test(location.hostname);

/** Not over plain http either, but for localhost. */
export const isWebAuthnSupported = (): boolean => 'PublicKeyCredential' in window;

/** What may come of it besides a passkey. The browser does not tell a person's no from their silence. */
export type PasskeyOutcome = 'done' | 'cancelled' | 'known' | 'failed';

/** Loaded when it is used. */
const loadWebAuthn = async () => import('@simplewebauthn/browser');

type Options<Start extends 'startRegistration' | 'startAuthentication'> = Parameters<
  Awaited<ReturnType<typeof loadWebAuthn>>[Start]
>[0]['optionsJSON'];

/** Has the browser make a passkey and the service keep it; a refusal of the service is thrown. */
export async function createPasskey(api: Api, name: string): Promise<PasskeyOutcome> {
  const { options } = await api.beginPasskey();
  try {
    const { startRegistration } = await loadWebAuthn();
    const response = await startRegistration({
      optionsJSON: options as unknown as Options<'startRegistration'>,
    });
    await api.addPasskey({ name, response: { ...response } });
    return 'done';
  } catch (error) {
    return toPasskeyOutcome(error);
  }
}

/** Signs in by a passkey of this device, or of one nearby. */
export async function signInByPasskey(api: Api): Promise<PasskeyOutcome> {
  const { options } = await api.beginPasskeySignIn();
  try {
    const { startAuthentication } = await loadWebAuthn();
    const response = await startAuthentication({
      optionsJSON: options as unknown as Options<'startAuthentication'>,
    });
    await api.signInByPasskey({ ...response });
    return 'done';
  } catch (error) {
    return toPasskeyOutcome(error);
  }
}

function toPasskeyOutcome(error: unknown): PasskeyOutcome {
  if (error instanceof Refusal) throw error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  return name === 'InvalidStateError' ? 'known' : 'failed';
}
