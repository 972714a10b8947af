import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { parseModifiedSince } from './modified-since.ts';

const NOW = new Date('2026-11-29T12:00:00Z');

describe('parseModifiedSince', () => {
  it('returns null without a header', () => {
    assert.equal(parseModifiedSince(undefined, NOW), null);
  });

  for (const [text, instant] of [
    // RFC 2822, and the obsolete names of zones.
    ['Fri, 21 Nov 1997 09:55:06 -0600', '1997-11-21T15:55:06.000Z'],
    ['Tue, 1 Jul 2003 10:52:37 +0200', '2003-07-01T08:52:37.000Z'],
    ['1 Jul 2003 10:52 +0000', '2003-07-01T10:52:00.000Z'],
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Sun, 06 Nov 1994 08:49:37 UT', '1994-11-06T08:49:37.000Z'],
    ['Sun, 06 Nov 1994 08:49:37 EST', '1994-11-06T13:49:37.000Z'],
    ['Sun, 06 Nov 1994 08:49:37 PDT', '1994-11-06T15:49:37.000Z'],
    ['Sun, 06 Nov 1994 08:49:37 K', '1994-11-06T08:49:37.000Z'],
    ['sun, 6 NOV 94 08:49:37 gmt', '1994-11-06T08:49:37.000Z'],
    ['Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)', '1969-02-14T03:02:00.000Z'],
    ['29 Feb 2024 00:00:00 +0000', '2024-02-29T00:00:00.000Z'],
    ['31 Dec 2016 23:59:60 +0000', '2017-01-01T00:00:00.000Z'],
    // The obsolete forms of HTTP (RFC 9110 §5.6.7).
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Saturday, 21-Nov-26 00:28:47 GMT', '2026-11-21T00:28:47.000Z'],
    ['Sunday, 29-Nov-76 08:49:37 GMT', '2076-11-29T08:49:37.000Z'],
    ['Tuesday, 29-Nov-77 08:49:37 GMT', '1977-11-29T08:49:37.000Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['Sat Nov 21 00:28:47 2026', '2026-11-21T00:28:47.000Z'],
    // ISO 8601, extended and basic.
    ['2026-11-21T00:28:47Z', '2026-11-21T00:28:47.000Z'],
    ['2026-11-21T00:28:47.123Z', '2026-11-21T00:28:47.123Z'],
    ['2026-11-21T00:28:47,123456789Z', '2026-11-21T00:28:47.123Z'],
    ['2026-11-21T00:28:47+05:30', '2026-11-20T18:58:47.000Z'],
    ['2026-11-21T00:28:47-0800', '2026-11-21T08:28:47.000Z'],
    ['2026-11-21T00:28+01', '2026-11-20T23:28:00.000Z'],
    ['2026-11-21T00:28:47', '2026-11-21T00:28:47.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['20261121T002847Z', '2026-11-21T00:28:47.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ] as const) {
    it(`parses ${text}`, () => {
      assert.equal(parseModifiedSince(text, NOW)?.toISOString(), instant);
    });
  }

  for (const text of [
    '',
    'yesterday',
    '0',
    '1700000000',
    'Mon, 21 Nov 1997 09:55:06 -0600',
    '30 Feb 2024 00:00:00 +0000',
    '21 Nov 1997 24:00:00 +0000',
    '21 Nov 1997 09:60:06 +0000',
    '21 Nov 1997 09:55:06 +2400',
    '21 Nov 1997 09:55:06 +0060',
    '21 Nov 1997 09:55:06',
    '21 Nov 1997 09:55:06 J',
    '21 Nov 1997 09:55:06 CET',
    '21 Nop 1997 09:55:06 GMT',
    'Monday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 EST',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'Mon Nov  6 08:49:37 1994',
    'Sun Nov 31 08:49:37 1994',
    '2026-02-29',
    '2026-13-01',
    '2026-11-21T25:00:00Z',
    '2026-11-21T00:00:61Z',
    '2026-1121',
    '2026-11-21T0028:47Z',
    '2026-11-21T00:28:47+24:00',
    '2026-11-21 00:28:47 UTC; drop table',
    '('.repeat(100_000),
    '9'.repeat(100_000),
  ]) {
    it(`refuses ${text.slice(0, 40) || 'nothing'} and names the header without quoting it`, () => {
      assert.throws(
        () => parseModifiedSince(text, NOW),
        (error) =>
          error instanceof Refusal &&
          error.status === 400 &&
          error.errors[0]?.path === 'If-Modified-Since' &&
          (text.length < 2 || !error.message.includes(text)),
      );
    });
  }
});
