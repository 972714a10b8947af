import type {
  beginOidcConfirmation,
  beginOidcJoin,
  beginOidcSignIn,
} from '../../../../contract/console/oidc.ts';
import type { Call } from '../../../kit/http/call.ts';
import type { ConsoleCall } from '../api/console-call.ts';

/** Where the person was, for this tab, until the identity provider sends them back. No secret stands in it. */
const RETURN_KEY = 'chartgate-oidc-return';

/** Leaves the page for the identity provider. */
function leave(url: string, returnPath = location.pathname + location.search): void {
  sessionStorage.setItem(RETURN_KEY, returnPath);
  location.assign(url);
}

export async function startOidcSignIn(plainCall: Call, returnPath?: string): Promise<void> {
  leave((await plainCall<typeof beginOidcSignIn>('POST /console/sign-in/oidc')).url, returnPath);
}

export async function startOidcConfirmation(plainCall: Call): Promise<void> {
  leave((await plainCall<typeof beginOidcConfirmation>('POST /console/confirm/oidc')).url);
}

export async function startOidcJoin(call: ConsoleCall): Promise<void> {
  leave((await call<typeof beginOidcJoin>('POST /console/identity')).url);
}

/** Returns the path of the console where the person was; the console itself where nothing of it is known. */
export function takeReturnPath(basePath: string): string {
  const path = sessionStorage.getItem(RETURN_KEY) ?? '';
  sessionStorage.removeItem(RETURN_KEY);
  return path === basePath || path.startsWith(`${basePath}/`) ? path : `${basePath}/`;
}
