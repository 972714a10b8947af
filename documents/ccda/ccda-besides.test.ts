import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCcdaBesides } from './ccda-besides.ts';

it('says how confidential a C-CDA or a part of it is, by whichever form', () => {
  const read = (tag: string): unknown[] =>
    JSON.parse(readCcdaBesides(Buffer.from(`<section>${tag}</section>`))[1] ?? '') as unknown[];
  for (const tag of [
    '<confidentialityCode code="R"/>',
    '<v3:confidentialityCode code="R" codeSystem="1.2.3"/>',
    '<value xsi:type="CE" code="R" codeSystem="2.16.840.1.113883.5.25"/>',
  ])
    assert.ok(JSON.stringify(read(tag)).includes('{"confidentiality":"R"}'), tag);
  assert.deepEqual(read('<code code="R" codeSystem="2.16.840.1.113883.5.83"/>'), [
    { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation', code: 'R' },
  ]);
});
