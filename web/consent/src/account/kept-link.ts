import { openTabStorage } from '../tab-storage.ts';

/**
 * The token of a mailed link that gives an account another address, while it may be used. Its person signs in first, and may come
 * back from their mail or their password manager to a tab that the device has loaded again; the address bar has forgotten it.
 */
export interface KeptLink {
  read(): string | null;
  keep(token: string): void;
  /** Forgets this token; one that was opened after it stays. */
  forget(token: string): void;
}

const KEY = 'chartgate-email-link';

export function createKeptLink(storage: Storage | null = openTabStorage()): KeptLink {
  const attempt = <T>(act: (storage: Storage) => T): T | null => {
    try {
      return storage && act(storage);
    } catch {
      // Full, or not allowed: then the link is lost with a reload.
      return null;
    }
  };
  const read = () => attempt((each) => each.getItem(KEY));
  return {
    read,
    keep: (token) => void attempt((each) => each.setItem(KEY, token)),
    forget: (token) => void (read() === token && attempt((each) => each.removeItem(KEY))),
  };
}
