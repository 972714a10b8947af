import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frame } from '../words/en/frame.ts';
import { findTargets, type SearchTarget } from './find-targets.ts';

const ID = '0f0e0d0c-0b0a-4000-8000-000000000001';
const TARGETS: readonly SearchTarget[] = [
  { kind: 'member', label: 'Ana Ríos', to: '/team', terms: ['ana@clinic.example', ID] },
  { kind: 'webhook', label: 'Partner', to: '/webhooks/1', terms: [] },
  { kind: 'project', label: 'Asthma', to: '/projects/1', terms: [] },
];
const OPTIONS = { pages: ['patients', 'consents'], search: frame.search } as const;
const find = (text: string) => findTargets(text, TARGETS, OPTIONS).map(({ to }) => to);

describe('the search of the console', () => {
  it('finds by any part of a name without accents and case, by address and by id', () => {
    assert.deepEqual(find('rios'), ['/team']);
    assert.deepEqual(find(' ASTH '), ['/projects/1']);
    assert.deepEqual(find('ana@clinic'), ['/team']);
    assert.deepEqual(find(ID.toUpperCase()), ['/team']);
    assert.deepEqual(find('nobody'), []);
    assert.deepEqual(find(''), []);
  });

  it('offers the pages that may show an id which nothing listed has', () => {
    const other = ID.replace(/1$/, '2');
    assert.deepEqual(find(other), [`/patients/${other}`, `/consents/${other}`]);
    const withApps = { ...OPTIONS, pages: ['apps'] } as const;
    assert.deepEqual(
      findTargets(other, TARGETS, withApps).map(({ to }) => to),
      [`/apps/${other}`],
    );
    assert.deepEqual(findTargets(other, TARGETS, { ...OPTIONS, pages: ['home'] }), []);
  });

  it('leads from an event to its delivery to each webhook', () => {
    const event = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    assert.deepEqual(find(event), [`/webhooks/1/deliveries/${event}`]);
    assert.deepEqual(find(event.slice(0, -1)), []);
  });
});
