import { LOOPBACK_NAMES } from '../../../platform/http/base-url.ts';
import { isProtectedDomain } from './look-alike.ts';

/**
 * Private-use schemes without the dot that RFC 8252 §7.1 asks for, of agents that register them all the same. An allowlist,
 * for a denylist is never complete: javascript:, data:, intent:, ms-msdt: …
 */
const AGENT_SCHEMES: ReadonlySet<string> = new Set([
  'claude',
  'cursor',
  'goose',
  'jetbrains',
  'kiro',
  'lmstudio',
  'raycast',
  'vscode',
  'vscode-insiders',
  'vscodium',
  'warp',
  'windsurf',
  'zed',
]);

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['https', '443'],
  ['http', '80'],
]);

interface UriParts {
  scheme: string;
  /** null where there is none, as in `com.example.app:/callback`. */
  authority: string | null;
  /** Path and query. */
  rest: string;
}

/** Parses the text as it came (RFC 3986 §3): `new URL` would turn 127.1 and 0x7f000001 into 127.0.0.1 before they are compared. */
function parseUri(uri: string): UriParts | null {
  const [, scheme, , authority, rest] = /^([^:/?#]+):(\/\/([^/?#]*))?(.*)$/s.exec(uri) ?? [];
  return scheme === undefined ? null : { scheme, authority: authority ?? null, rest: rest ?? '' };
}

/**
 * What the response adds to the query: RFC 6749 §4.1.2, RFC 9207 §2. §3.1.2 keeps the query that the URI has, and §3.1 has no
 * parameter twice, so a URI that already has one could only be answered against one of them.
 */
const RESPONSE_PARAMETERS: readonly string[] = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
];

/** Returns why a client may not register this URI, or null: RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1. */
export function findRedirectUriError(uri: string): string | null {
  if (uri.length > 2000) return 'is longer than 2,000 characters';
  if (!/^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(uri)) return 'has characters that no URI has (RFC 3986 §2)';
  if (/%(?![0-9a-f]{2})|%[01][0-9a-f]|%7f/i.test(uri)) return 'has a malformed or a control character';
  if (uri.includes('#')) return 'has a fragment';
  const parts = parseUri(uri);
  if (parts === null || !URL.canParse(uri)) return 'is not an absolute URI';
  if (parts.authority?.includes('@')) return 'has user information';
  if (parts.authority?.includes('*')) return 'has a wildcard as its host';
  const taken = RESPONSE_PARAMETERS.find((name) => parseQuery(parts).has(name));
  if (taken !== undefined) return `has the parameter ${taken} in its query, which the response adds`;
  if (parts.scheme === 'https' || parts.scheme === 'http') return findWebUriError(uri, parts);
  return findPrivateUseError(parts);
}

const parseQuery = ({ rest }: UriParts): URLSearchParams =>
  new URLSearchParams(rest.includes('?') ? rest.slice(rest.indexOf('?')) : '');

function findWebUriError(uri: string, { scheme, authority }: UriParts): string | null {
  const [host, port] = splitHostAndPort(authority ?? '');
  if (port !== null && !isPort(port)) return 'has a port that is not from 1 to 65535';
  // The patient must read the same host that the browser goes to.
  if (host !== new URL(uri).hostname) return 'does not spell its host in the normal form';
  // The root's dot leads to the same host, under a name that no block of the host would equal.
  if (host.endsWith('.')) return 'has a host that ends in a dot';
  if (scheme === 'http' && !LOOPBACK_NAMES.includes(host))
    return 'is http, and not on 127.0.0.1, [::1] or localhost';
  return null;
}

function findPrivateUseError({ scheme, authority, rest }: UriParts): string | null {
  const isReverseDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(scheme);
  if (!isReverseDomain && !AGENT_SCHEMES.has(scheme)) {
    return 'is neither https, nor http on this device, nor of a scheme named after a domain, as com.example.app';
  }
  if (readsAsHost(scheme))
    return 'has a host as its scheme; a domain is in reverse order there, as com.example.app';
  // Otherwise a missing https:// would turn a host into a scheme: agent.example:443/callback.
  return authority === null && !rest.startsWith('/') ? 'has no / after its scheme (RFC 8252 §7.1)' : null;
}

/** Top-level domains that schemes of programs begin with, besides those of two letters, and that hosts end with. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  'com org net edu gov mil int info biz dev app health care clinic tech cloud xyz'.split(' '),
);

const isTopLevelDomain = (label = ''): boolean => TOP_LEVEL_DOMAINS.has(label) || /^[a-z]{2}$/.test(label);

/**
 * True for a domain in forward order, which the page would show as the host that the answer goes to. Of a scheme that begins and
 * ends with a top-level domain (`ai.example.app`) nobody knows the order, unless it is a domain of a protected name.
 */
function readsAsHost(scheme: string): boolean {
  const labels = scheme.split('.');
  if (labels.length === 1) return false;
  return isProtectedDomain(scheme) || (isTopLevelDomain(labels.at(-1)) && !isTopLevelDomain(labels[0]));
}

/** Returns null for a missing port; "host:" has an empty one. */
function splitHostAndPort(authority: string): [host: string, port: string | null] {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  return [host ?? '', port ?? null];
}

/** `URL.canParse` has refused ports beyond 65535 before. */
const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text);

/**
 * True when the client registered the requested URI. Texts are compared exactly (RFC 9700 §4.1.3), except for the port on a
 * loopback host, which the operating system assigns anew each time (RFC 8252 §7.3). What was registered before a rule forbade it
 * matches no more.
 */
export function matchesRedirectUri(registered: readonly string[], requested: string): boolean {
  if (findRedirectUriError(requested) !== null) return false;
  if (registered.includes(requested)) return true;
  const portless = stripLoopbackPort(requested);
  return portless !== null && registered.some((uri) => stripLoopbackPort(uri) === portless);
}

/** Returns null for a URI that is not http on a loopback host. */
function stripLoopbackPort(uri: string): string | null {
  const { scheme, authority, rest } = parseUri(uri) as UriParts;
  return scheme === 'http' ? `http://${splitHostAndPort(authority ?? '')[0]}${rest}` : null;
}

/** Describes where the response goes, for people: a host, or the `scheme:` of a program. */
export function describeRedirectUri(uri: string): { redirectHost: string; onThisDevice: boolean } {
  const { scheme, authority } = parseUri(uri) as UriParts;
  const defaultPort = DEFAULT_PORTS.get(scheme);
  if (defaultPort === undefined) return { redirectHost: `${scheme}:`, onThisDevice: true };
  const [host, port] = splitHostAndPort(authority ?? '');
  const onThisDevice = LOOPBACK_NAMES.includes(host);
  const showsPort = port !== null && port !== defaultPort && !onThisDevice;
  return { redirectHost: showsPort ? `${host}:${port}` : host, onThisDevice };
}

/** Adds the response to the query of a redirect URI (RFC 6749 §4.1.2) and leaves the URI itself untouched (§3.1.2). */
export function buildClientRedirect(redirectUri: string, response: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(response).toString();
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
