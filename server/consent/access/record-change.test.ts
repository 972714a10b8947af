import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataMask } from '../../../contract/brands.ts';
import { findSeenChange, type RecordChange } from './record-change.ts';
import { labelBit, NO_LABELS } from './sensitivity-labels.ts';

const [LABS, VISITS, MENTAL] = [labelBit('LABS'), labelBit('VISITS'), labelBit('MENTAL_HEALTH')];
const PRIVATE = (VISITS | MENTAL) as DataMask;
const UNKNOWN = -1 as DataMask;
const CONTENT = { part: null };
const LABELS = { part: { before: NO_LABELS, after: NO_LABELS } };

const CASES: [name: string, change: RecordChange, normal: string | null, full: string | null][] = [
  ['something new', { before: null, after: VISITS, ...CONTENT }, 'changed', 'changed'],
  ['something new that is withheld', { before: null, after: PRIVATE, ...CONTENT }, null, 'changed'],
  ['other content', { before: VISITS, after: VISITS, ...CONTENT }, 'changed', 'changed'],
  ['what becomes private', { before: VISITS, after: PRIVATE, ...LABELS }, 'removed', null],
  ['what is private no more', { before: PRIVATE, after: VISITS, ...LABELS }, 'changed', null],
  ['what had no labels yet', { before: UNKNOWN, after: VISITS, ...LABELS }, 'changed', null],
  ['what goes', { before: VISITS, after: null, ...CONTENT }, 'removed', 'removed'],
  ['what goes and was withheld', { before: PRIVATE, after: null, ...CONTENT }, null, 'removed'],
  ['labels that are covered', { before: VISITS, after: LABS, ...LABELS }, null, null],
  [
    'a part that becomes private',
    { before: VISITS, after: VISITS, part: { before: NO_LABELS, after: MENTAL } },
    'changed',
    null,
  ],
  [
    'a part of what is withheld',
    { before: PRIVATE, after: PRIVATE, part: { before: NO_LABELS, after: MENTAL } },
    null,
    null,
  ],
];

describe('findSeenChange', () => {
  for (const [name, change, normal, full] of CASES)
    it(`says what ${name} is to whoever reads without mental health, and with all`, () => {
      assert.equal(findSeenChange([change], [MENTAL]), normal);
      assert.equal(findSeenChange([change], [NO_LABELS]), full);
      assert.equal(findSeenChange([change], []), null);
    });

  it('shows a part under one consent that covers it and what it is of, not under two together', () => {
    const change = { before: VISITS, after: VISITS, part: { before: MENTAL, after: NO_LABELS } };
    assert.equal(findSeenChange([change], [MENTAL, VISITS]), 'changed');
    assert.equal(findSeenChange([change], [MENTAL, NO_LABELS]), null);
  });

  it('says of several changes whether one takes something away', () => {
    const changes: RecordChange[] = [
      { before: null, after: VISITS, ...CONTENT },
      { before: VISITS, after: PRIVATE, ...LABELS },
      { before: null, after: LABS, ...CONTENT },
    ];
    assert.equal(findSeenChange(changes, [MENTAL]), 'removed');
  });
});
