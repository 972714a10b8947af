import type { Batch } from '../api.ts';
import { formatDateTime } from '../../../kit/format-date.ts';
import type { Words } from '../words/en.ts';
import type { Language } from '../../../kit/languages.ts';
import type { SourceNames } from './use-batches.ts';

/** Describes whether the person added a file or a source provided it, and when. */
export function formatOrigin(
  { sourceId, receivedAt }: Pick<Batch, 'sourceId' | 'receivedAt'>,
  names: SourceNames,
  { words, language }: { words: Words; language: Language },
): string {
  const { addedOn, fetchedOn, formerSource } = words.myData.documents;
  const time = formatDateTime(receivedAt, language);
  return sourceId === null ? addedOn(time) : fetchedOn(names.get(sourceId) ?? formerSource, time);
}
