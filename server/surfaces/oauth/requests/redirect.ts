/** The client's redirect URI with the answer in its query (RFC 6749 §4.1.2), the URI itself untouched (§3.1.2). */
export function buildClientRedirect(redirectUri: string, response: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(response).toString();
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
