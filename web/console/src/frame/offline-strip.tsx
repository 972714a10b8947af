import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLanguage } from '../words/use-words.ts';

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** Says that there is no connection, and of when the data is. */
export function OfflineStrip() {
  const { words, language } = useLanguage();
  const client = useQueryClient();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const times = client.getQueryCache().findAll({ type: 'active' });
  const newest = Math.max(0, ...times.map(({ state }) => state.dataUpdatedAt));
  const time = newest === 0 ? '–' : new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(newest);
  return <div role="status">{!isOnline && <p className="offline">{words.states.offline(time)}</p>}</div>;
}
