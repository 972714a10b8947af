const CAUSES: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'the folder does not exist'],
  ['ENOTDIR', 'a part of the path is a file'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'a file, or a link that leads nowhere, is in its place'],
  ['EACCES', 'this user has no right to it'],
  ['EPERM', 'this user has no right to it'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', "the user's share of the disk is used up"],
  ['EFBIG', 'the file system takes no file of this size'],
  ['EIO', 'the disk does not work'],
  ['ELOOP', 'its links lead back to each other'],
  ['ENAMETOOLONG', 'the path is too long'],
]);

/** Says why the file system refused something, for the operator: "the disk is full (ENOSPC)". Null for any other error. */
export function explainFileFault(error: unknown): string | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || typeof code !== 'string' || syscall === undefined) return null;
  const cause = CAUSES.get(code);
  return cause === undefined ? code : `${cause} (${code})`;
}
