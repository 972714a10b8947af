import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PendingState } from '../../../clinical/sources/record-state.sql.ts';
import { NO_LABELS, toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import { renderPending, renderReadInPart } from './pending-text.ts';

const now = new Date('2026-11-20T12:00:00Z');
const nothing: PendingState = {
  uploads: 0,
  since: null,
  fetchesSince: null,
  held: 0,
  failedAt: null,
  inPart: 0,
  inPartAt: null,
  unread: 0,
  fetchInPartAt: null,
  hiddenSince: null,
  sources: [],
};
const render = (pending: Partial<PendingState>): string | null =>
  renderPending({ ...nothing, ...pending }, now);
const renderInPart = (pending: PendingState | undefined, withheld = NO_LABELS): string | null =>
  renderReadInPart(pending, withheld);

describe('what is on its way into a record', () => {
  it('is not mentioned when nothing is', () => {
    assert.equal(render({}), null);
    assert.equal(renderPending(undefined, now), null);
  });

  it('is stated with the time of today, or the day', () => {
    assert.equal(
      render({ uploads: 1, since: '2026-11-20T08:46:10Z' }),
      '1 upload is still being read (since 08:46 UTC); this may be incomplete.',
    );
    assert.equal(
      render({ uploads: 2, since: '2026-11-19T23:59:00Z' }),
      '2 uploads are still being read (since 2026-11-19); this may be incomplete.',
    );
  });

  it('is stated while an upload is taken out: entries of others are hidden meanwhile', () =>
    assert.equal(
      render({ hiddenSince: '2026-11-20T08:46:10Z' }),
      'An upload is being taken out (since 08:46 UTC); this may be incomplete.',
    ));

  it('is stated of an upload about which the patient is asked', () => {
    assert.equal(
      render({ held: 1 }),
      "1 upload waits for the patient's answer whether it is about them; this may be incomplete.",
    );
    assert.equal(
      render({ held: 2, failedAt: '2026-11-19T08:00:00Z' }),
      "2 uploads wait for the patient's answer whether it is about them; the newest upload (2026-11-19) could not be read; this may be incomplete.",
    );
  });

  it('is stated of uploads of which a part could not be read, for good', () => {
    const read = { inPart: 1, inPartAt: '2026-11-19T08:00:00Z' };
    assert.equal(render(read), null);
    assert.equal(renderInPart(undefined), null);
    assert.equal(renderInPart(nothing), null);
    assert.equal(
      renderInPart({ ...nothing, ...read }),
      '1 upload (2026-11-19) could be read only in part; the rest is missing here. `update_and_check_recent_records` says why.',
    );
    assert.match(
      renderInPart({ ...nothing, ...read, unread: 1 }) ?? '',
      /^1 upload \(2026-11-19\) could not be read; what is in it is missing here\./,
    );
    assert.match(
      renderInPart({ ...nothing, ...read, inPart: 2, unread: 1 }) ?? '',
      /could be read only in part, or not at all; the rest is missing here\./,
    );
    assert.match(
      renderInPart({ ...nothing, ...read, inPart: 3 }) ?? '',
      /^3 uploads \(the newest of 2026-11-19\) could be read only in part/,
    );
  });

  it('leads to the patient, who alone reads why, where something is withheld', () => {
    const read = { ...nothing, inPart: 1, inPartAt: '2026-11-19T08:00:00Z' };
    assert.equal(
      renderInPart(read, toLabelMask(['MENTAL_HEALTH'])),
      '1 upload (2026-11-19) could be read only in part; the rest is missing here. The patient alone is told why, since not everything is shared; `update_and_check_recent_records` has the link to their page.',
    );
  });

  it('is one line for uploads that failed and sources that wait, failed or want a new sign-in', () => {
    assert.equal(
      render({
        failedAt: '2026-11-19T08:00:00Z',
        sources: [
          { name: 'A *clinic*', state: 'running', code: null, skippedTypes: [] },
          { name: 'Riverside', state: 'waiting', code: 'unreachable', skippedTypes: [] },
          { name: 'Hospital', state: 'failed', code: 'unreachable', skippedTypes: [] },
          { name: 'Practice', state: 'failed', code: 'unauthorized', skippedTypes: [] },
        ],
      }),
      'A \\*clinic\\* is still being fetched; Riverside does not answer now and is tried again; the newest upload (2026-11-19) could not be read; Hospital could not be fetched the last time; Practice is waiting for a new sign-in; this may be incomplete.',
    );
  });

  it('is stated of servers that are connected elsewhere without their names', () => {
    const failed = { name: null, state: 'failed', code: 'unreachable', skippedTypes: [] } as const;
    assert.equal(
      render({ sources: [failed] }),
      'A server that is connected elsewhere could not be fetched the last time; this may be incomplete.',
    );
    assert.equal(
      render({
        sources: [
          { ...failed, name: 'Riverside' },
          { ...failed, name: null },
          { ...failed, name: null },
          { name: null, state: 'up_to_date', code: 'partial', skippedTypes: ['Condition'] },
        ],
      }),
      'Riverside and 2 servers that are connected elsewhere could not be fetched the last time; a server that is connected elsewhere was fetched in part (it did not give all conditions); this may be incomplete.',
    );
  });

  it('calls nothing an upload that a connected server sent', () => {
    assert.equal(
      render({ fetchesSince: '2026-11-20T08:46:10Z' }),
      'What a connected server sent is still being read (since 08:46 UTC); this may be incomplete.',
    );
    const fetched = { ...nothing, fetchInPartAt: '2026-11-19T08:00:00Z' };
    assert.equal(
      renderInPart(fetched),
      'What a connected server sent (2026-11-19) could not be read completely; the rest is missing here. `update_and_check_recent_records` says why.',
    );
    assert.equal(
      renderInPart({ ...fetched, inPart: 1, inPartAt: '2026-11-18T08:00:00Z' }),
      '1 upload (2026-11-18) could be read only in part; the rest is missing here. What a connected server sent (2026-11-19) could not be read completely; the rest is missing here. `update_and_check_recent_records` says why.',
    );
  });

  it('names what a source did not give, in plain words', () => {
    const buildSource = (name: string, skippedTypes: string[]) =>
      ({ name, state: 'up_to_date', code: 'partial', skippedTypes }) as const;
    assert.equal(
      render({ sources: [buildSource('Riverside', ['Condition', 'Observation', 'NutritionOrder'])] }),
      'Riverside was fetched in part (it did not give all conditions, results and vital signs, nutrition orders); this may be incomplete.',
    );
    assert.equal(
      render({ sources: [buildSource('Riverside', [])] }),
      'Riverside was fetched in part (not all that it has could be fetched or read); this may be incomplete.',
    );
  });
});
