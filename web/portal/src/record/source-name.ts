import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import type { RecordFact } from '../../../../contract/account/record-facts.ts';

/** Who wrote it down, else the file or the connected place that it came in: as answers to apps name it. */
export const formatSourceName = ({ organization, path }: RecordFact['source']): string =>
  organization ?? revealInvisible(path.slice(path.lastIndexOf('/') + 1));
