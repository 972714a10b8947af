import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DataMask } from '../../../contract/brands.ts';
import { getVocabulary } from '../../../test/harness/vocabulary.ts';
import { createNameComparer } from '../concepts/compare-names.ts';
import { NAME_SEPARATOR, separateContradicting, type SharedKey } from './contradicting-names.ts';

const names = createNameComparer(getVocabulary);
const ASTHMA = 'http://snomed.info/sct|195967001';
const UNKNOWN = 'http://hospital.example/drugs|17';

const key = (title: string, code: string, rest: Partial<SharedKey> = {}): SharedKey => ({
  kind: 'condition',
  base: code,
  groupKey: code,
  title,
  code,
  requiredLabels: 1 as DataMask,
  ...rest,
});

/** The titles that have one key, those of the code's own key first. */
function group(keys: readonly SharedKey[]): string[] {
  const changed = separateContradicting(keys, names);
  const wanted = keys.map((each) => ({
    title: each.title,
    key:
      changed.find(
        ({ title, requiredLabels }) => title === each.title && requiredLabels === each.requiredLabels,
      )?.groupKey ?? each.groupKey,
  }));
  return [...Map.groupBy(wanted, (each) => each.key)]
    .sort(([one], [other]) => one.length - other.length)
    .map(([, same]) => same.map(({ title }) => title).join(' = '));
}

describe('names under one code', () => {
  it('that the code is called keep its key, and those that contradict them have another', () => {
    const keys = [key('Type II Diabetes', ASTHMA), key('Asthma', ASTHMA), key('Asthma bronchiale', ASTHMA)];
    assert.deepEqual(group(keys), ['Asthma = Asthma bronchiale', 'Type II Diabetes']);
    assert.deepEqual(group(keys.toReversed()), ['Asthma bronchiale = Asthma', 'Type II Diabetes']);
  });

  it('stay together where they agree, also by way of a third', () => {
    assert.deepEqual(
      separateContradicting([key('DM2', UNKNOWN), key('Type II diabetes', UNKNOWN)], names),
      [],
    );
    const drugs = ['Prinivil', 'Lisinopril 10 MG', 'Warfarin 5 MG', 'Coumadin'].map((title) =>
      key(title, UNKNOWN),
    );
    assert.deepEqual(group(drugs).sort(), ['Prinivil = Lisinopril 10 MG', 'Warfarin 5 MG = Coumadin']);
  });

  it('come together again where what contradicted them was taken out', () => {
    const groupKey = `${ASTHMA}${NAME_SEPARATOR}type ii diabetes`;
    assert.deepEqual(separateContradicting([key('Asthma', ASTHMA, { groupKey })], names), [
      key('Asthma', ASTHMA),
    ]);
  });

  it('that are the code itself, or say nothing, are those of the code', () => {
    const keys = ['Asthma', 'SNOMED CT 195967001', 'Unknown'].map((title) => key(title, ASTHMA));
    assert.deepEqual(separateContradicting(keys, names), []);
  });

  it('are grouped alike whether or not the record holds names that the consent withholds', () => {
    const [open, withheld] = [1 as DataMask, 3 as DataMask];
    const seen = ['Zzyx', 'Foo'].map((title) => key(title, UNKNOWN, { requiredLabels: open }));
    const linking = key('Zzyx Foo', UNKNOWN, { requiredLabels: withheld });
    assert.deepEqual(group([...seen, linking]).sort(), ['Foo', 'Zzyx = Zzyx Foo']);
    assert.deepEqual(
      separateContradicting(seen, names),
      separateContradicting([...seen, linking], names).filter(
        ({ requiredLabels }) => requiredLabels === open,
      ),
    );
    // Those of whom neither sees the other are one where they are called the same.
    const apart = [2 as DataMask, 4 as DataMask].map((requiredLabels) =>
      key('Zzyx', UNKNOWN, { requiredLabels }),
    );
    assert.deepEqual(separateContradicting(apart, names), []);
  });

  it('are compared in time where one code has 3,000 of them', () => {
    const keys = Array.from({ length: 3000 }, (_, index) =>
      key(`Zz${index.toString(36)}yx qq${index}`, UNKNOWN),
    );
    const started = process.cpuUsage().user;
    separateContradicting(keys, names);
    assert.ok(process.cpuUsage().user - started < 5_000_000);
  });
});
