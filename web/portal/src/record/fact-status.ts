import type { Words } from '../words/en.ts';

/** A status in the reader's words, where there are some; else as the record has it. */
export const formatFactStatus = (status: string, words: Words): string =>
  new Map(Object.entries(words.myData.record.statuses)).get(status) ?? status;
