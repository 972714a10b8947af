import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { handleHangUps } from './hang-up.ts';

const EVENTS = ['SIGHUP', 'uncaughtException'] as const;

describe('SIGHUP', () => {
  let before: Map<string, unknown[]>;
  let terminals: number[];
  let calls: string[];
  const isTerminal = (fd: number): boolean => terminals.includes(fd);
  const actions = { stop: () => void calls.push('stop'), reload: () => void calls.push('reload') };
  beforeEach(() => {
    before = new Map(EVENTS.map((event) => [event, process.rawListeners(event)]));
    terminals = [];
    calls = [];
  });
  afterEach(() => {
    for (const event of EVENTS)
      for (const listener of process.rawListeners(event))
        if (!before.get(event)?.includes(listener)) process.off(event, listener as () => void);
  });
  const hangUp = (): void => {
    const own = process.rawListeners('SIGHUP').filter((each) => !before.get('SIGHUP')?.includes(each));
    for (const listener of own) (listener as () => void)();
  };

  it('ends no service that has no terminal, such as one of systemd or under nohup', () => {
    handleHangUps(isTerminal).serve(actions);
    hangUp();
    assert.deepEqual(calls, ['reload']);
  });

  it('ends none whose terminal is there: somebody has sent it', () => {
    terminals = [2];
    handleHangUps(isTerminal).serve(actions);
    hangUp();
    assert.deepEqual(calls, ['reload']);
  });

  it('stops one whose terminal is gone, in good order', () => {
    terminals = [0, 1, 2];
    handleHangUps(isTerminal).serve(actions);
    terminals = [];
    hangUp();
    assert.deepEqual(calls, ['stop']);
  });

  it('has no effect before the start is complete', (t) => {
    const write = t.mock.method(process.stderr, 'write', () => true);
    handleHangUps(isTerminal);
    hangUp();
    assert.deepEqual(
      write.mock.calls.map(({ arguments: [text] }) => text),
      ['chartgate: SIGHUP has no effect before the start is complete\n'],
    );
  });
});
