import fs from 'node:fs';
import path from 'node:path';
import { explainFileFault } from './file-fault.ts';

/** The folder of a store cannot be made private; the service must not put health records there. */
export class FolderNotPrivateError extends Error {
  constructor(folder: string, why: string) {
    super(
      `${folder} ${why}. Health records and signing keys are kept there, so nobody else may have access.`,
    );
    this.name = 'FolderNotPrivateError';
  }
}

/** The folder cannot be made, or nothing can be written there. */
export class FolderUnusableError extends Error {
  readonly code = 'folder_unusable';

  constructor(folder: string, cause: unknown) {
    super(`${folder} cannot be used as a folder: ${explainFileFault(cause) ?? (cause as Error).message}`, {
      cause,
    });
    this.name = 'FolderUnusableError';
  }
}

const OTHERS = 0o077;

/** Windows has no modes; its folders take their access from the user's profile. */
const HAS_MODES = process.platform !== 'win32';

/** Makes all files that this process creates from now on its user's own, whatever mode their creator asks for. */
export function restrictNewFiles(): void {
  process.umask(OTHERS);
}

/**
 * Creates a folder, or takes one that exists, and makes it 0700 before anything is created in it; what it holds under the
 * names that `isOwn` accepts becomes 0700 and 0600, however deep. Throws FolderNotPrivateError where that cannot be had: the
 * folder is another user's, or its file system keeps no modes.
 */
export function makeFolderPrivate(folder: string, isOwn: (name: string) => boolean): void {
  restrictNewFiles();
  try {
    createFolder(folder);
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new FolderUnusableError(folder, error);
  }
  if (!HAS_MODES) return;
  // The folder may be a link to another disk.
  const root = fs.realpathSync(folder);
  restrictAccess(root);
  for (const name of fs.readdirSync(root).filter(isOwn)) {
    const file = path.join(root, name);
    restrictAccess(file);
    if (!fs.lstatSync(file).isDirectory()) continue;
    for (const entry of fs.readdirSync(file, { withFileTypes: true, recursive: true }))
      restrictAccess(path.join(entry.parentPath, entry.name));
  }
}

/** Returns why nothing could be written in a folder, or the folder not be made; null where it could. Makes nothing. */
export function findFolderFault(folder: string): FolderUnusableError | null {
  try {
    let there = path.resolve(folder);
    while (fs.lstatSync(there, { throwIfNoEntry: false }) === undefined) there = path.dirname(there);
    fs.accessSync(`${there}${path.sep}`, fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    return new FolderUnusableError(folder, error);
  }
}

/** Creates a folder with its parents. Node's own `recursive` never ends under /proc, where a parent is there and takes none. */
function createFolder(folder: string): void {
  const create = (): void => fs.mkdirSync(folder, { mode: 0o700 });
  try {
    create();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    createFolder(parent);
    create();
  }
}

/** Leaves symbolic links alone: they have no mode, and what they lead to is not ours. */
function restrictAccess(file: string): void {
  const before = fs.lstatSync(file);
  if (before.isSymbolicLink()) return;
  if (before.uid !== process.getuid?.()) throw new FolderNotPrivateError(file, 'belongs to another user');
  if ((before.mode & OTHERS) === 0) return;
  try {
    fs.chmodSync(file, before.isDirectory() ? 0o700 : 0o600);
  } catch {
    throw new FolderNotPrivateError(file, 'cannot be closed to other users');
  }
  if ((fs.lstatSync(file).mode & OTHERS) !== 0)
    throw new FolderNotPrivateError(file, 'is on a file system that cannot close it to other users');
}
