import type { confirmPresence } from '../../../../contract/console/console.ts';
import type {
  addConsolePasskey,
  beginConsolePasskey,
  beginConsolePasskeySignIn,
  beginPasskeyConfirmation,
  signInToConsoleByPasskey,
} from '../../../../contract/console/passkeys.ts';
import type { Call } from '../../../kit/http/call.ts';
import {
  loadWebAuthn,
  type PasskeyOutcome,
  toPasskeyOutcome,
  type WebAuthnOptions,
} from '../../../kit/passkey.ts';
import type { ConsoleCall } from '../api/console-call.ts';

/** Signs in by a passkey of this device, or of one nearby. */
export async function signInByPasskey(plainCall: Call): Promise<PasskeyOutcome> {
  const { options } = await plainCall<typeof beginConsolePasskeySignIn>(
    'POST /console/sign-in/passkey/options',
  );
  return answer(options, (response) =>
    plainCall<typeof signInToConsoleByPasskey>('POST /console/sign-in/passkey', { body: { response } }),
  );
}

/** Proves presence by a passkey of whoever is signed in. */
export async function confirmByPasskey(plainCall: Call): Promise<PasskeyOutcome> {
  const { options } = await plainCall<typeof beginPasskeyConfirmation>('POST /console/confirm/options');
  return answer(options, (passkey) =>
    plainCall<typeof confirmPresence>('POST /console/confirm', { body: { passkey } }),
  );
}

async function answer(
  options: Record<string, unknown>,
  send: (response: Record<string, unknown>) => Promise<unknown>,
): Promise<PasskeyOutcome> {
  try {
    const { startAuthentication } = await loadWebAuthn();
    const optionsJSON = options as unknown as WebAuthnOptions<'startAuthentication'>;
    await send({ ...(await startAuthentication({ optionsJSON })) });
    return 'done';
  } catch (error) {
    return toPasskeyOutcome(error);
  }
}

/** How the browser's dialog ended, and the recovery codes that a first factor brings. */
export type CreatedPasskey = { outcome: PasskeyOutcome; recoveryCodes: readonly string[] | null };

/** Lets the browser create a passkey and registers it with the service; throws a refusal of the service. */
export async function createPasskey(call: ConsoleCall | Call, name: string): Promise<CreatedPasskey> {
  const send = call as ConsoleCall;
  const { options } = await send<typeof beginConsolePasskey>('POST /console/passkeys/options');
  try {
    const { startRegistration } = await loadWebAuthn();
    const optionsJSON = options as unknown as WebAuthnOptions<'startRegistration'>;
    const response = { ...(await startRegistration({ optionsJSON })) };
    const added = await send<typeof addConsolePasskey>('POST /console/passkeys', {
      body: { name, response },
    });
    return { outcome: 'done', recoveryCodes: added.recoveryCodes };
  } catch (error) {
    return { outcome: toPasskeyOutcome(error), recoveryCodes: null };
  }
}
