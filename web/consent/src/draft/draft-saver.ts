import type { SavedDraft } from '../api.ts';
import type { DraftPort } from './draft-port.ts';

/** Sends choices as they are made, one after another, and only the newest of those that wait. */
export interface DraftSaver {
  save(body: SavedDraft): void;
  /** Sends what waits at once, since the page may be left. */
  flush(): void;
}

export function createDraftSaver({ save }: Pick<DraftPort, 'save'>): DraftSaver {
  let waiting: SavedDraft | null = null;
  let isSending = false;

  const sendNext = async (): Promise<void> => {
    if (isSending || waiting === null) return;
    const body = waiting;
    waiting = null;
    isSending = true;
    const isSaved = await save(body).then(
      () => true,
      () => false,
    );
    isSending = false;
    // It is sent again with the next choice, or when the connection is back; the decision holds it in any case.
    if (!isSaved) waiting ??= body;
    else await sendNext();
  };

  return {
    save(body) {
      waiting = body;
      void sendNext();
    },
    flush() {
      if (waiting !== null) void save(waiting).catch(() => undefined);
    },
  };
}
