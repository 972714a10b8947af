import { definePath } from '../../kit/paths.ts';

/** Where the fragment of the address leads. */
export type Route =
  | { to: 'request'; requestId: string }
  /** A request whose id cannot be read. */
  | { to: 'broken-request' }
  /** An invitation to a project whose id cannot be read. */
  | { to: 'broken-invitation' }
  /** Of an organization to one of its projects, which asks without an app. */
  | { to: 'invitation'; studyId: string }
  /** token: null after a reload, since it is kept in memory only. */
  | { to: 'mailed-link'; token: string | null }
  /** A mailed link that gives an account another address; null after a reload too, when the tab may keep it. */
  | { to: 'email-link'; token: string | null }
  /** The portal, an app of its own that is served at the same address. */
  | { to: 'portal' }
  | { to: 'start' };

const enrollmentPath = definePath('/patient-consent/{projectId}/enrollment/link');
const requestPath = definePath('/request/{requestId}');
const mailedLinkPath = definePath('/account/link/{token}');
const openedLinkPath = definePath('/account/link');
const emailLinkPath = definePath('/account/email/{token}');
const openedEmailLinkPath = definePath('/account/email');

/** `#/my-data`, one segment below it, or one receipt; the review, mails and agents name the address. */
const PORTAL = /^#?\/my-data(?:\/[a-z-]*|\/receipts\/[\da-f-]{36})?\/?(?:\?|$)/i;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const REQUEST_ID = /^[\w-]{1,64}$/;

export function parseRoute(fragment: string): Route {
  if (PORTAL.test(fragment)) return { to: 'portal' };
  const enrollment = enrollmentPath.match(fragment);
  if (enrollment) {
    const state = new URLSearchParams(fragment.split('?', 2)[1]).get('oauth_state');
    return state === null ? toInvitationRoute(enrollment.projectId) : toRequestRoute(parseRequestId(state));
  }
  const request = requestPath.match(fragment);
  if (request) return toRequestRoute(request.requestId);
  const link = mailedLinkPath.match(fragment);
  if (link) return { to: 'mailed-link', token: link.token };
  const emailLink = emailLinkPath.match(fragment);
  if (emailLink) return { to: 'email-link', token: emailLink.token };
  if (openedEmailLinkPath.match(fragment)) return { to: 'email-link', token: null };
  return openedLinkPath.match(fragment) ? { to: 'mailed-link', token: null } : { to: 'start' };
}

/** Leads to a request by its id alone, for a person who comes from a mail. */
export const buildRequestFragment = (requestId: string): string => requestPath.build({ requestId });

/** Leads to an invitation, for a person who comes from a mail or from their own page. */
export const buildInvitationFragment = (studyId: string): string =>
  enrollmentPath.build({ projectId: studyId });

/** Returns the address without the token that it led here with; null where it holds none. */
export const buildOpenedFragment = (route: Route): string | null => {
  if (route.to === 'mailed-link' && route.token !== null) return openedLinkPath.build({});
  return route.to === 'email-link' && route.token !== null ? openedEmailLinkPath.build({}) : null;
};

const toInvitationRoute = (studyId: string): Route =>
  UUID.test(studyId) ? { to: 'invitation', studyId } : { to: 'broken-invitation' };

const toRequestRoute = (id: unknown): Route =>
  typeof id === 'string' && REQUEST_ID.test(id) ? { to: 'request', requestId: id } : { to: 'broken-request' };

/** Only `id` counts: anybody may have written the rest of an address. */
function parseRequestId(oauthState: string): unknown {
  try {
    const state: unknown = JSON.parse(atob(oauthState.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined;
  } catch {
    return undefined;
  }
}
