import type { DraftScreen, SavedDraft } from '../api.ts';

/** Where the draft of one decision is kept on the service. */
export interface DraftPort {
  /** Names the decision, for what is kept in this tab. */
  review: string;
  save(body: SavedDraft): Promise<unknown>;
  addScreen(body: DraftScreen): Promise<{ id: string }>;
}
