import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataMask } from '../../../contract/brands.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { applyNames, borrowNames } from './borrowed-names.ts';
import { buildEntries } from './build-entries.ts';
import type { LinkedEntry } from './context-fact.ts';
import { scoreInformativeness } from './informativeness.ts';

const NDC = 'http://hl7.org/fhir/sid/ndc';
const bare = { coding: [{ system: NDC, code: '00093721401' }] };

const order = (id: string, concept?: object): ParsedResource => ({
  resourceType: 'MedicationRequest',
  id,
  ...(concept && { medicationCodeableConcept: concept }),
});
const dispense = (id: string, of: string, concept?: object): ParsedResource => ({
  resourceType: 'MedicationDispense',
  id,
  authorizingPrescription: [{ reference: `MedicationRequest/${of}` }],
  ...(concept && { medicationCodeableConcept: concept }),
});

const link = (resources: readonly ParsedResource[], labels: readonly number[] = []): LinkedEntry[] =>
  resources.flatMap((resource, seq) =>
    buildEntries(resource, { resolve: () => null }).map((entry) => ({
      ...entry,
      links: entry.links ?? [],
      seq,
      ordinal: 0,
      reference: `${resource.resourceType}/${String(resource.id)}`,
      requiredLabels: (labels[seq] ?? 1) as DataMask,
      listedBy: [],
    })),
  );
const listTitles = (entries: readonly LinkedEntry[]): string[] => entries.map(({ title }) => title);
const name = (entries: readonly LinkedEntry[]): readonly LinkedEntry[] =>
  applyNames(entries, borrowNames(entries));

describe('a medication without a name', () => {
  it('borrows the name of what was dispensed on it, and a dispense that of its order', () => {
    const resources = [order('a', bare), dispense('d', 'a', { text: 'Warfarin 5 mg' }), dispense('e', 'a')];
    for (const each of [resources, resources.toReversed()])
      assert.deepEqual(listTitles(name(link(each))), ['Warfarin 5 mg', 'Warfarin 5 mg', 'Warfarin 5 mg']);
    assert.deepEqual(listTitles(name(link([order('a', { text: 'Insulin' }), dispense('d', 'a', bare)]))), [
      'Insulin',
      'Insulin',
    ]);
  });

  it('says whose name it has, and gets its own back when nobody lends it any more', () => {
    const [named] = name(link([order('a', bare), dispense('d', 'a', { text: 'Warfarin 5 mg' })]));
    assert.ok(named?.kind === 'medication' && 'nameFrom' in named.detail);
    assert.equal(named.detail.nameFrom, 'MedicationDispense/d');
    assert.deepEqual(
      borrowNames([named, ...link([order('x'), dispense('d', 'a', { text: 'Warfarin 5 mg' })]).slice(1)]),
      [],
    );
    const [alone] = name([named]);
    assert.deepEqual([alone?.title, alone?.groupKey], ['NDC 00093721401', `${NDC}|00093721401`]);
  });

  it('borrows nothing that a consent might withhold from it', () => {
    const resources = [order('a', bare), dispense('d', 'a', { text: 'Buprenorphine' })];
    assert.deepEqual(listTitles(name(link(resources, [1, 3]))), ['NDC 00093721401', 'Buprenorphine']);
  });

  it('stays alone where no name is to be had', () => {
    const [one, other] = name(link([order('a'), order('b'), dispense('d', 'c')]));
    assert.notEqual(one?.groupKey, other?.groupKey);
  });
});

describe('how much an entry says', () => {
  it('is more in words than in codes', () => {
    const score = (manifestation: object): number => {
      const [entry] = buildEntries(
        {
          resourceType: 'AllergyIntolerance',
          id: 'a',
          code: { text: 'Latex' },
          reaction: [{ manifestation: [manifestation] }],
        },
        { resolve: () => null },
      );
      return entry === undefined ? 0 : scoreInformativeness(entry);
    };
    const coded = (code: string) => ({ coding: [{ system: 'http://snomed.info/sct', code }] });
    assert.ok(score({ text: 'Hives' }) > score(coded('999')));
    assert.equal(score(coded('247472004')), score({ text: 'Hives' }));
  });
});
