/** An answer with the tag by which the service knows it. */
interface Tagged {
  etag: string;
  body: unknown;
}

export interface AnswerCache {
  get(url: string): Tagged | undefined;
  set(url: string, answer: Tagged): void;
}

/** So many addresses are asked for again and again on a page; those of pages before are let go. */
const MAX_ANSWERS = 30;

/**
 * Keeps the newest answers in the memory of the page alone, so that one that is the same is answered by 304. A browser's own
 * cache would write them to its disk.
 */
export function createAnswerCache(): AnswerCache {
  const answers = new Map<string, Tagged>();
  return {
    get: (url) => answers.get(url),
    set(url, answer) {
      answers.delete(url);
      answers.set(url, answer);
      const [oldest] = answers.keys();
      if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
    },
  };
}
