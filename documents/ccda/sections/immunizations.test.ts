import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterByType, convertCcdaSection } from '../../../test/harness/ccda-section.ts';
import { serializeItem } from '../resource-list.ts';
import { converters } from '../../converters.ts';
import { readCcda } from '../convert-ccda.ts';

interface ImmunizationOptions {
  attributes?: string;
  when?: string;
  material?: string;
  inside?: string;
}
const FLU =
  '<code code="88" codeSystem="2.16.840.1.113883.12.292" displayName="influenza"/><lotNumberText>A1</lotNumberText>';

const immunization = ({
  attributes = 'moodCode="EVN"',
  when = '<effectiveTime value="199911"/>',
  material = FLU,
  inside = '',
}: ImmunizationOptions): string =>
  `<text/><entry><substanceAdministration classCode="SBADM" ${attributes}><statusCode code="completed"/>${when}
    <doseQuantity value="0.50" unit="mL"/><consumable><manufacturedProduct><manufacturedMaterial>${material}</manufacturedMaterial>
    </manufacturedProduct></consumable>${inside}</substanceAdministration></entry>`;

async function readOnlyImmunization(options: ImmunizationOptions): Promise<Record<string, unknown>> {
  const [found, ...others] = filterByType(
    await convertCcdaSection('11369-6', immunization(options)),
    'Immunization',
  );
  assert.ok(found && others.length === 0);
  return found;
}

describe('an immunization of a C-CDA document', () => {
  it('becomes a completed Immunization with vaccine, day and lot', async () => {
    const found = await readOnlyImmunization({});
    assert.equal(found['status'], 'completed');
    assert.equal(found['occurrenceDateTime'], '1999-11');
    assert.equal(found['lotNumber'], 'A1');
    assert.deepEqual(found['vaccineCode'], {
      coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '88', display: 'influenza' }],
      text: 'influenza',
    });
  });

  it('keeps the digits of its dose', async () => {
    const bytes = Buffer.from(`<section><code code="11369-6"/>${immunization({})}</section>`);
    const { items: placed } = await readCcda(
      { bytes, path: '', documentId: '11111111-1111-4111-8111-111111111111' },
      converters,
    );
    assert.match(placed.map(serializeItem).join('\n'), /"doseQuantity":\{"value":0\.50,/);
  });

  it('is not done, with its reason, where it is negated', async () => {
    const reason = `<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN">
      <templateId root="2.16.840.1.113883.10.20.22.4.53"/>
      <code code="PATOBJ" codeSystem="2.16.840.1.113883.5.8" displayName="patient objection"/></observation></entryRelationship>`;
    const found = await readOnlyImmunization({
      attributes: 'moodCode="EVN" negationInd="true"',
      inside: reason,
    });
    assert.equal(found['status'], 'not-done');
    assert.equal((found['statusReason'] as { text: string }).text, 'patient objection');
    assert.deepEqual(found['note'], undefined);
  });

  it('is a request where it is planned, ordered or proposed: neither given nor refused', async () => {
    for (const [mood, intent] of [
      ['INT', 'plan'],
      ['PRMS', 'plan'],
      ['APT', 'plan'],
      ['RQO', 'order'],
      ['PRP', 'proposal'],
      ['ARQ', 'proposal'],
    ]) {
      const read = await convertCcdaSection(
        '11369-6',
        immunization({ attributes: `moodCode="${mood ?? ''}"` }),
      );
      const [request, ...others] = filterByType(read, 'ServiceRequest');
      assert.ok(request && others.length === 0 && filterByType(read, 'Immunization').length === 0, mood);
      assert.deepEqual([request['intent'], request['status']], [intent, 'unknown']);
      assert.equal((request['code'] as { text: string }).text, 'influenza');
    }
  });

  it('shows the name of the code beside another name of the author', async () => {
    const material = `<code code="33" codeSystem="2.16.840.1.113883.12.292"
      displayName="pneumococcal polysaccharide vaccine, 23 valent"><originalText>Influenza virus vaccine</originalText></code>`;
    assert.equal(
      ((await readOnlyImmunization({ material }))['vaccineCode'] as { text: string }).text,
      'Influenza virus vaccine (coded as pneumococcal polysaccharide vaccine, 23 valent)',
    );
    const same = material.replace('Influenza virus', 'Pneumococcal');
    assert.equal(
      ((await readOnlyImmunization({ material: same }))['vaccineCode'] as { text: string }).text,
      'Pneumococcal vaccine',
    );
  });

  it('has an absent reason in place of an unknown day, which R4 requires', async () => {
    const found = await readOnlyImmunization({ when: '<effectiveTime nullFlavor="UNK"/>' });
    assert.equal(found['occurrenceDateTime'], undefined);
    assert.match(JSON.stringify(found['_occurrenceDateTime']), /data-absent-reason.*unknown/);
  });

  it('keeps a code without a name, and a name without a code', async () => {
    const code = await readOnlyImmunization({
      material: '<code code="140" codeSystem="2.16.840.1.113883.12.292"/>',
    });
    assert.equal((code['vaccineCode'] as { coding: { code: string }[] }).coding[0]?.code, '140');
    const name = await readOnlyImmunization({ material: '<code nullFlavor="UNK"/><name>Flu shot</name>' });
    assert.deepEqual(name['vaccineCode'], { text: 'Flu shot' });
  });

  it('is counted with a reason where it has no vaccine', async () => {
    const read = await convertCcdaSection('11369-6', immunization({ material: '<code nullFlavor="NI"/>' }));
    assert.deepEqual(
      read.skipped.map(({ reason }) => reason),
      ['null_flavored'],
    );
  });
});
