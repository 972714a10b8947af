/** Takes the secret of a mailed link out of the address, where the history would keep it. */
export function takeToken(): string {
  const token = location.hash.replace(/^#/, '');
  history.replaceState(null, '', location.pathname);
  return token;
}
