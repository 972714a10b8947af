import {
  loadWebAuthn,
  type PasskeyOutcome,
  toPasskeyOutcome,
  type WebAuthnOptions,
} from '../../kit/passkey.ts';
import type { AccountApi } from '../account-api.ts';

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
