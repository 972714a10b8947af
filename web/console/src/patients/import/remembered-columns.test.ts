import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { recallColumns, rememberColumns } from './remembered-columns.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  globalThis.localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage;
});

const HEADINGS = ['Mail', 'Name 1', 'Name 2'];

describe('the columns of a list', () => {
  it('are as they were chosen for the same headings before', () => {
    assert.equal(recallColumns(HEADINGS), null);
    rememberColumns(HEADINGS, ['email', 'lastName', null]);
    assert.deepEqual(recallColumns(HEADINGS), ['email', 'lastName', null]);
    assert.equal(recallColumns([...HEADINGS, 'Name 3']), null);
    rememberColumns(HEADINGS, ['email', 'firstName', 'lastName']);
    assert.deepEqual(recallColumns(HEADINGS), ['email', 'firstName', 'lastName']);
  });

  it('are not kept for a file without headings, nor beyond twenty files', () => {
    rememberColumns(['', ''], ['email', null]);
    assert.equal(recallColumns(['', '']), null);
    for (let file = 0; file < 25; file++) rememberColumns([`Mail ${file}`], ['email']);
    assert.equal(recallColumns(['Mail 4']), null);
    assert.deepEqual(recallColumns(['Mail 24']), ['email']);
  });

  it('are guessed where the browser keeps something else', () => {
    for (const text of ['{', '{}', '[1]', '[["[\\"Mail\\"]",["password"]]]']) {
      kept.set('chartgate-console-import', text);
      assert.equal(recallColumns(['Mail']), null, text);
    }
  });
});
