import type { RecordFact } from '../api.ts';

/** Who wrote it down, else the file or the connected place that it came in: as answers to apps name it. */
export const formatSourceName = ({ organization, path }: RecordFact['source']): string =>
  organization ?? path.slice(path.lastIndexOf('/') + 1);
