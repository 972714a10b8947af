import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeptLink } from './kept-link.ts';

function createStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: () => null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

describe('the kept token of a mailed link', () => {
  it('outlives the page, until it is forgotten', () => {
    const storage = createStorage();
    createKeptLink(storage).keep('one');
    const reloaded = createKeptLink(storage);
    assert.equal(reloaded.read(), 'one');
    reloaded.forget('one');
    assert.equal(createKeptLink(storage).read(), null);
    assert.equal(storage.getItem('chartgate-email-link'), null);
  });

  it('is that of the link that was opened last, which a dead one before it does not take away', () => {
    const kept = createKeptLink(createStorage());
    kept.keep('one');
    kept.keep('two');
    kept.forget('one');
    assert.equal(kept.read(), 'two');
  });

  it('is none where the browser keeps nothing', () => {
    const refusing = createStorage();
    refusing.setItem = () => {
      throw new Error('The storage is full.');
    };
    for (const kept of [createKeptLink(null), createKeptLink(refusing)]) {
      kept.keep('one');
      assert.equal(kept.read(), null);
      kept.forget('one');
    }
  });
});
