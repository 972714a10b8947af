/** Where the fragment of the address leads. */
export type Route =
  | { to: 'request'; requestId: string }
  /** A request is named, but so that nobody can make it out. */
  | { to: 'broken-request' }
  | { to: 'invitation' }
  /** token: null after a reload, since it is kept in memory only. */
  | { to: 'mailed-link'; token: string | null }
  /** What the signed-in person shares; the review and agents name this address. */
  | { to: 'my-data' }
  | { to: 'start' };

const REQUEST_ID = /^[\w-]{1,64}$/;

export function routeOf(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?', 2);
  if (/^\/patient-consent\/[^/]+\/enrollment\/link\/?$/.test(path)) {
    const state = new URLSearchParams(query).get('oauth_state');
    return state === null ? { to: 'invitation' } : requestOf(idIn(state));
  }
  const request = /^\/request\/([^/]+)$/.exec(path);
  if (request) return requestOf(request[1]);
  const link = /^\/account\/link(?:\/([^/]+))?\/?$/.exec(path);
  if (link) return { to: 'mailed-link', token: link[1] ?? null };
  return /^\/my-data\/?$/.test(path) ? { to: 'my-data' } : { to: 'start' };
}

/** A request by its id alone, for who comes from a mail. */
export const fragmentOf = (requestId: string): string => `#/request/${requestId}`;

const requestOf = (id: unknown): Route =>
  typeof id === 'string' && REQUEST_ID.test(id) ? { to: 'request', requestId: id } : { to: 'broken-request' };

/** Only `id` counts: what else stands in an address, anybody may have written. */
function idIn(oauthState: string): unknown {
  try {
    const state: unknown = JSON.parse(atob(oauthState.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined;
  } catch {
    return undefined;
  }
}
