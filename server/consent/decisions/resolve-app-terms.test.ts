import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toDataScopes, toWithheldMask } from '../access/sensitivity-labels.ts';
import {
  getCurrentScopes,
  getLastingPart,
  serializeParts,
  type ConsentPart,
  type StoredConsent,
} from './consent-parts.ts';
import type { DecisionContext } from './decide.ts';
import { resolveAppTerms } from './resolve-app-terms.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number): Date => new Date(NOW.getTime() + days * 24 * 3_600_000);

const part = (days: number, ...categories: Parameters<typeof toDataScopes>[0] & {}): ConsentPart => ({
  scopes: toDataScopes(categories, ['NORMAL']),
  expiresAt: inDays(days),
});

type Terms = ReturnType<typeof resolveAppTerms>;

const toPrevious = ({ scopes, expiresAt, parts }: Pick<Terms, 'scopes' | 'expiresAt' | 'parts'>) =>
  ({
    consent_status: 'OPTED_IN',
    expires_at: expiresAt,
    resource_scopes: scopes?.resourceScopes ?? null,
    sensitivity_scopes: scopes?.sensitivityScopes ?? null,
    parts: parts ? serializeParts(parts) : null,
  }) as unknown as DecisionContext['previous'];

const toStored = (terms: Terms): StoredConsent =>
  ({ ...terms, parts: terms.parts && serializeParts(terms.parts) }) as StoredConsent;

/** The terms after these yeses, one after the other. */
const decideAll = (...chosen: readonly ConsentPart[]): Terms =>
  chosen
    .slice(1)
    .reduce<Terms>((before, each) => resolveAppTerms(each, { previous: toPrevious(before), now: NOW }), {
      ...resolveAppTerms(chosen[0] as ConsentPart, { previous: null, now: NOW }),
    });

describe('what a yes to an app changes', () => {
  it('has one end where the app gets no more, or all of it for as long', () => {
    for (const chosen of [part(30, 'LABS'), part(1, 'LABS')]) {
      const terms = decideAll(part(30, 'LABS'), chosen);
      assert.deepEqual([terms.parts, terms.expiresAt], [null, inDays(30)]);
    }
    const grown = decideAll(part(1, 'LABS'), part(30, 'LABS', 'DIAGNOSES'));
    assert.deepEqual([grown.parts, grown.scopes], [null, part(30, 'LABS', 'DIAGNOSES').scopes]);
  });

  it('case 520: makes one of two parts that end together only where one covers the other', () => {
    const withClass = (name: 'MENTAL_HEALTH' | 'HIV_OR_STI'): ConsentPart => ({
      ...part(30, 'LABS'),
      scopes: toDataScopes(['LABS'], ['NORMAL', name]),
    });
    const labs = withClass('MENTAL_HEALTH');
    for (const other of [part(30, 'DIAGNOSES'), withClass('HIV_OR_STI')])
      assert.deepEqual(decideAll(labs, other).parts, [labs, other]);
    assert.deepEqual(decideAll(part(30, 'LABS'), labs).parts, null);
    const both = [part(30, 'LABS'), part(30, 'DIAGNOSES')] as const;
    const terms = decideAll(...both);
    assert.deepEqual(terms.parts, both);
    assert.deepEqual(getLastingPart(toStored(terms), NOW), part(30, 'DIAGNOSES', 'LABS'));
  });

  it('offers one part of those whose lists, joined, would say more: that of the app that asks, or the one that ends last', () => {
    const labs = { ...part(30, 'LABS'), scopes: toDataScopes(['LABS'], ['NORMAL', 'MENTAL_HEALTH']) };
    const stored = toStored(decideAll(labs, part(29, 'DIAGNOSES')));
    assert.deepEqual(getLastingPart(stored, NOW), labs);
    const grant = toWithheldMask(part(29, 'DIAGNOSES').scopes);
    assert.deepEqual(getLastingPart(stored, NOW, grant), part(29, 'DIAGNOSES'));
  });

  it('keeps the end of each part where they differ, in any order, and of what ends last when', () => {
    for (const [one, other] of [
      [part(30, 'LABS'), part(1, 'LABS', 'DIAGNOSES')],
      [part(1, 'LABS', 'DIAGNOSES'), part(30, 'LABS')],
    ] as const) {
      const terms = decideAll(one, other);
      assert.deepEqual(terms.scopes, part(0, 'LABS', 'DIAGNOSES').scopes);
      assert.deepEqual(terms.expiresAt, inDays(30));
      const stored = toStored(terms);
      assert.deepEqual(getCurrentScopes(stored, NOW), terms.scopes);
      assert.deepEqual(getCurrentScopes(stored, inDays(2)), part(0, 'LABS').scopes);
      assert.deepEqual(getLastingPart(stored, NOW), part(30, 'LABS'));
      assert.deepEqual(getLastingPart(stored, inDays(31)), part(30, 'LABS'));
    }
  });

  it('offers together what ends at about the same time, until the first of these ends', () => {
    const terms = decideAll(part(300, 'LABS', 'DIAGNOSES'), part(365, 'LABS'));
    const stored = toStored(terms);
    assert.deepEqual(getLastingPart(stored, NOW), part(300, 'LABS', 'DIAGNOSES'));
    assert.deepEqual(getLastingPart(stored, inDays(290)), part(365, 'LABS'));
  });

  it('lets go of parts that have ended, and of those that another covers for as long', () => {
    const terms = decideAll(part(30, 'LABS'), part(1, 'LABS', 'DIAGNOSES'));
    const later = resolveAppTerms(part(40, 'MEDICATIONS'), { previous: toPrevious(terms), now: inDays(2) });
    assert.deepEqual(later.parts, [part(30, 'LABS'), part(40, 'MEDICATIONS')]);
    const all = resolveAppTerms(part(40, 'LABS', 'DIAGNOSES'), { previous: toPrevious(terms), now: NOW });
    assert.deepEqual([all.parts, all.expiresAt], [null, inDays(40)]);
  });
});
