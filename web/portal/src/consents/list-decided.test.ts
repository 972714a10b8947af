import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listDecided } from './list-decided.ts';

type Requests = Parameters<typeof listDecided>[1];

const invite = (studyId: string, ...consentTypes: string[]) => ({ studyId, consentTypes }) as never;

const listIds = (...asked: Requests[number]['asked']): string[] =>
  listDecided([invite('a', 'DATA_AUTHORIZATION', 'FUTURE_DATA_USE')], [{ studyId: 'a' as never, asked }]).map(
    ({ studyId }: { studyId: string }) => studyId,
  );

it('leaves out an invitation of which nothing is decided, and no other', () => {
  const authorization = { consentType: 'DATA_AUTHORIZATION' } as const;
  const later = { consentType: 'FUTURE_DATA_USE' } as const;
  assert.deepEqual(listIds({ ...authorization, reason: 'new' }, { ...later, reason: 'new' }), []);
  assert.deepEqual(listIds({ ...authorization, reason: 'new' }), ['a']);
  assert.deepEqual(listIds({ ...authorization, reason: 'words_changed' }, { ...later, reason: 'new' }), [
    'a',
  ]);
  assert.deepEqual(listIds(), ['a']);
});
