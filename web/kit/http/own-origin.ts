/**
 * Moves the page to its own address where the browser called the service by another name, such as localhost for a service
 * with a public one: every form of it would be refused there. Never resolves then, since the page is about to be left.
 */
export async function stayOnOwnOrigin<T extends { pageUrl: string }>(session: T): Promise<T> {
  const { pageUrl } = session;
  if (new URL(pageUrl).origin === location.origin) return session;
  location.replace(pageUrl + location.pathname.replace(/^.*\/consent/, '') + location.hash);
  return new Promise(() => {});
}
