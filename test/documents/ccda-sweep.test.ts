import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sweepDocument, type SweptStatement } from '../data/facts/sweep-ccda.ts';
import { DATA_FOLDER, readZipFiles } from '../data/sample-data.ts';
import { isLong } from '../harness/long.ts';

const skip = existsSync(join(DATA_FOLDER, 'ccda'))
  ? false
  : `the sample data is not here: there is no ${DATA_FOLDER}/ccda`;

/** At least so many statements of each kind of section are seen: a reader that sees nothing finds nothing missing. */
const SEEN: Readonly<Record<string, number>> = {
  allergies: 400,
  encounters: 150,
  'family history': 60,
  'functional status': 80,
  immunizations: 50,
  medications: 200,
  'plan of treatment': 100,
  problems: 400,
  procedures: 50,
  results: 500,
  'social history': 100,
  'vital signs': 600,
};

const isCda = (bytes: Buffer): boolean =>
  /<(section|ClinicalDocument|component|structuredBody)[ >]/.test(bytes.toString('latin1'));

/** Vendors whose documents `npm test` sweeps; the long form sweeps all. */
const FEW = /^ccda\/(allscripts|cerner|hl7-ccda-examples)\.zip$/;

const swept: SweptStatement[] = [];
for (const zip of skip ? [] : globSync('{ccda,archives}/*.zip', { cwd: DATA_FOLDER }).sort()) {
  if (!isLong && !FEW.test(zip)) continue;
  for (const file of await readZipFiles(join(DATA_FOLDER, zip)))
    if (isCda(file.bytes)) swept.push(...(await sweepDocument({ ...file, path: `${zip}/${file.path}` })));
}

describe('what the narrative of a published C-CDA document states and its entries state', { skip }, () => {
  for (const [section, statements] of Map.groupBy(swept, (each) => each.section))
    it(`is in the resources, or left out for a named reason: ${section}`, (test) => {
      for (const [outcome, { length }] of Map.groupBy(statements, (each) => each.outcome))
        test.diagnostic(`${section}: ${length} ${outcome}`);
      const missing = statements
        .filter(({ outcome }) => outcome === 'missing')
        .map(
          ({ path, position, element, wordings }) =>
            `${path} ${position} ${element}: ${wordings.join(' | ')}`,
        );
      assert.deepEqual(missing, []);
      assert.ok(!isLong || statements.length >= (SEEN[section] ?? 1), `${statements.length} statements`);
    });

  it('is seen in every kind of section', () => {
    const sections = new Set(swept.map(({ section }) => section));
    assert.deepEqual(
      Object.keys(SEEN).filter((section) => !sections.has(section)),
      [],
    );
  });
});
