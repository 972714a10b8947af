import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import type { UploadBatch as Batch } from '../../../../contract/account/uploads.ts';
import type { Words } from '../words/en.ts';
import { splitPath } from './file-kind.ts';

/** The archive that a person chose, before the path of a file in it. */
const ARCHIVE = /^([^/]*\.zip)\//i;

/** Returns the path of a file in its archive. */
export const leaveArchive = (path: string): string => path.replace(ARCHIVE, '');

/**
 * Names what a person chose: an archive by its own name, else the first files, and how many more there are; the number is known
 * when they were read. What is invisible in a name is shown: the name stands beside the question whose file it is.
 */
export function formatFiles(
  { paths, documents: { total } }: Pick<Batch, 'paths' | 'documents'>,
  texts: Pick<Words['myData']['documents'], 'moreFiles'>,
): string {
  const archive = ARCHIVE.exec(paths[0] ?? '')?.[1];
  if (archive !== undefined && paths.every((path) => path.startsWith(`${archive}/`)))
    return revealInvisible(archive);
  const names = paths.map((path) => revealInvisible(splitPath(path).name)).join(', ');
  return paths.length > 0 && total > paths.length
    ? texts.moreFiles(names, String(total - paths.length))
    : names;
}
