/** Returns what outlives a reload of this tab; null where the browser allows none. */
export function openTabStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
