import { PACKED_ARCHIVE_NAME } from '../../../../contract/account/packed-archive.ts';
import { toPrintablePath } from '../archive/member-path.ts';

const MAX_NAME_LENGTH = 255;

/** Returns the paths below the archive that a person chose, by whose name they know them, or that name where it holds nothing; else as they are. */
export function nameByArchive(paths: readonly string[], archiveName: string | undefined): readonly string[] {
  const name = toPrintablePath((archiveName ?? '').replace(/^.*[/\\]/s, ''));
  const isChosen = /.\.zip$/i.test(name) && name !== PACKED_ARCHIVE_NAME && name.length <= MAX_NAME_LENGTH;
  if (!isChosen) return paths;
  return paths.length === 0 ? [name] : paths.map((path) => `${name}/${path}`);
}
