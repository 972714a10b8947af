/** Where the fragment of the address leads. */
export type Route =
  | { to: 'request'; requestId: string }
  /** A request is named, but so that nobody can make it out. */
  | { to: 'broken-request' }
  | { to: 'invitation' }
  /** token: null after a reload, since it is kept in memory only. */
  | { to: 'mailed-link'; token: string | null }
  /** What the signed-in person shares; the review and agents name its address without a part. */
  | { to: 'my-data'; part: MyDataPart | null }
  | { to: 'start' };

/** What has an address of its own below `#/my-data`. */
export const MY_DATA_PARTS = [
  'activity',
  'receipts',
  'documents',
  'download',
  'signing-in',
  'delete-account',
] as const;
export type MyDataPart = (typeof MY_DATA_PARTS)[number];

const REQUEST_ID = /^[\w-]{1,64}$/;

export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?', 2);
  if (/^\/patient-consent\/[^/]+\/enrollment\/link\/?$/.test(path)) {
    const state = new URLSearchParams(query).get('oauth_state');
    return state === null ? { to: 'invitation' } : toRequestRoute(parseRequestId(state));
  }
  const request = /^\/request\/([^/]+)$/.exec(path);
  if (request) return toRequestRoute(request[1]);
  const link = /^\/account\/link(?:\/([^/]+))?\/?$/.exec(path);
  if (link) return { to: 'mailed-link', token: link[1] ?? null };
  const myData = /^\/my-data(?:\/([a-z-]*))?\/?$/.exec(path);
  if (myData === null) return { to: 'start' };
  return { to: 'my-data', part: MY_DATA_PARTS.find((part) => part === myData[1]) ?? null };
}

export const buildMyDataFragment = (part: MyDataPart | null): string =>
  part === null ? '#/my-data' : `#/my-data/${part}`;

/** A request by its id alone, for who comes from a mail. */
export const buildRequestFragment = (requestId: string): string => `#/request/${requestId}`;

const toRequestRoute = (id: unknown): Route =>
  typeof id === 'string' && REQUEST_ID.test(id) ? { to: 'request', requestId: id } : { to: 'broken-request' };

/** Only `id` counts: what else stands in an address, anybody may have written. */
function parseRequestId(oauthState: string): unknown {
  try {
    const state: unknown = JSON.parse(atob(oauthState.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined;
  } catch {
    return undefined;
  }
}
