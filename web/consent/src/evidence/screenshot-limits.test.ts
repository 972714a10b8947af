import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EVIDENCE_LIMITS } from '../../../../contract/oauth/review-draft.ts';
import { MAX_SCREENSHOT_BYTES } from './screenshot-limits.ts';

it('a screenshot is no larger than the contract allows', () => {
  assert.equal(MAX_SCREENSHOT_BYTES, EVIDENCE_LIMITS.bytes);
});
