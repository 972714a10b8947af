import { Refusal } from './http/refusal.ts';

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

/** What an error of the browser means; a refusal of the service is thrown on. */
export function toPasskeyOutcome(error: unknown): PasskeyOutcome {
  if (error instanceof Refusal) throw error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  return name === 'InvalidStateError' ? 'known' : 'failed';
}

/** Guesses what a person calls their device; it only fills in a name. */
export function detectDevice(): 'phone' | 'tablet' | 'computer' {
  const { userAgent, maxTouchPoints } = navigator;
  if (/iPhone|Android.*Mobile/.test(userAgent)) return 'phone';
  // An iPad says that it is a Mac, which has no touch.
  return /iPad|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
    ? 'tablet'
    : 'computer';
}
