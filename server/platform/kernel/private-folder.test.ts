import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FolderNotPrivateError, makeFolderPrivate } from './private-folder.ts';

const getMode = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);
const isOwn = (name: string): boolean => name === 'store';

describe('makeFolderPrivate', () => {
  let folder: string;
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-private-'));
    fs.chmodSync(folder, 0o777);
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
    process.umask(umask);
  });

  it('creates a folder that only its user can enter, and its parents', () => {
    const inner = path.join(folder, 'a/b');
    makeFolderPrivate(inner, isOwn);
    assert.deepEqual([getMode(inner), getMode(path.dirname(inner))], ['700', '700']);
  });

  it('closes a folder that was there before, with all that is ours in it and nothing else', () => {
    fs.mkdirSync(path.join(folder, 'store/deep/er'), { recursive: true, mode: 0o777 });
    fs.writeFileSync(path.join(folder, 'store/deep/er/file'), '', { mode: 0o666 });
    fs.writeFileSync(path.join(folder, 'other'), '', { mode: 0o666 });
    makeFolderPrivate(folder, isOwn);
    assert.equal(getMode(folder), '700');
    assert.equal(getMode(path.join(folder, 'store/deep/er')), '700');
    assert.equal(getMode(path.join(folder, 'store/deep/er/file')), '600');
    assert.equal(getMode(path.join(folder, 'other')), '666');
  });

  it('says why a path takes no folder, and ends where no parent takes one', () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    fs.symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'dangling'));
    for (const [unusable, cause] of [
      [file, /file, or a link that leads nowhere, is in its place \(EEXIST\)/],
      [path.join(file, 'below'), /a part of the path is a file \(ENOTDIR\)/],
      [path.join(folder, 'dangling'), /is in its place \(EEXIST\)/],
    ] as const)
      assert.throws(() => makeFolderPrivate(unusable, isOwn), {
        name: 'FolderUnusableError',
        message: cause,
      });
    if (fs.existsSync('/proc/self'))
      assert.throws(() => makeFolderPrivate('/proc/x/y', isOwn), /cannot be used/);
  });

  it('leaves files that are created later to their user alone', () => {
    makeFolderPrivate(folder, isOwn);
    fs.writeFileSync(path.join(folder, 'later'), '', { mode: 0o666 });
    assert.equal(getMode(path.join(folder, 'later')), '600');
  });

  it('follows a link to the folder, and none in it', () => {
    const outside = path.join(folder, 'outside');
    fs.writeFileSync(outside, '', { mode: 0o666 });
    const real = path.join(folder, 'real');
    fs.mkdirSync(path.join(real, 'store'), { recursive: true });
    fs.symlinkSync(outside, path.join(real, 'store/link'));
    fs.symlinkSync(real, path.join(folder, 'alias'));
    makeFolderPrivate(path.join(folder, 'alias'), isOwn);
    assert.deepEqual(
      [getMode(real), getMode(path.join(real, 'store')), getMode(outside)],
      ['700', '700', '666'],
    );
  });

  const root = process.getuid?.() === 0 ? false : 'only root can give a folder away';
  it(
    'refuses a folder of another user, and one with a file of another user in the store',
    { skip: root },
    () => {
      fs.mkdirSync(path.join(folder, 'store'));
      fs.writeFileSync(path.join(folder, 'store/file'), '');
      fs.chownSync(path.join(folder, 'store/file'), 65_534, 65_534);
      assert.throws(() => makeFolderPrivate(folder, isOwn), FolderNotPrivateError);
      fs.chownSync(folder, 65_534, 65_534);
      assert.throws(() => makeFolderPrivate(folder, isOwn), /belongs to another user/);
    },
  );
});
