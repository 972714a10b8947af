import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EVIDENCE_LIMITS } from '../../../../contract/interaction.ts';
import { LARGEST_PICTURE } from './largest-picture.ts';

it('a picture is no larger than the service takes', () => {
  assert.equal(LARGEST_PICTURE, EVIDENCE_LIMITS.bytes);
});
