import type { Counter } from 'prom-client';
import { readMonotonicMs } from '../../../platform/kernel/clock.ts';
import { EmbeddingsFault, type Embedder, type Vector } from './embedder.ts';

/** Makes a vector of a question; null where none is to be had, and concepts alone answer. */
export type EmbedQuestion = (query: string) => Promise<Vector | null>;

/** What a person who waits for an answer is made to wait for the endpoint. */
const TIMEOUT_MS = 1500;

/** How long an endpoint that failed is left alone, so that it delays one answer and not each. */
const PAUSE_MS = 30_000;

interface Deps {
  /** Null: none is configured. */
  embedder: Embedder | null;
  failures: Counter<'purpose'>;
  readMs?: () => number;
}

export function createQuestionEmbedder({
  embedder,
  failures,
  readMs = readMonotonicMs,
}: Deps): EmbedQuestion {
  let pausedUntil = 0;
  return async (query) => {
    if (embedder === null || readMs() < pausedUntil) return null;
    try {
      return (await embedder.embed([query], { timeoutMs: TIMEOUT_MS }))[0] ?? null;
    } catch (error) {
      if (!(error instanceof EmbeddingsFault)) throw error;
      failures.inc({ purpose: 'question' });
      pausedUntil = readMs() + PAUSE_MS;
      return null;
    }
  };
}
