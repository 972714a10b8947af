import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterByType, convertCcdaSection } from '../../../test/harness/ccda-section.ts';

const SNOMED = '2.16.840.1.113883.6.96';
const entry = (inside: string): string => `<text>Told.</text><entry>${inside}</entry>`;

async function readOnlyResource(
  code: string,
  { inside, type }: { inside: string; type: string },
): Promise<Record<string, unknown>> {
  const read = await convertCcdaSection(code, entry(inside));
  const [found, ...others] = filterByType(read, type);
  assert.ok(found && others.length === 0, JSON.stringify(read.skipped));
  return found;
}

describe('social history in a C-CDA document', () => {
  const smoking = (
    template: string,
    code: string,
  ): string => `<observation classCode="OBS" moodCode="EVN"><templateId root="${template}"/>${code}
    <statusCode code="completed"/><effectiveTime><low value="2005"/><high value="2010"/></effectiveTime>
    <value xsi:type="CD" code="8517006" codeSystem="${SNOMED}" displayName="Former smoker"/></observation>`;
  const ASSERTION = '<code code="ASSERTION" codeSystem="2.16.840.1.113883.5.4"/>';

  it('has the smoking status under its LOINC code, where R1.1 only asserts it', async () => {
    for (const template of ['2.16.840.1.113883.10.20.22.4.78', '2.16.840.1.113883.10.22.4.78']) {
      const found = await readOnlyResource('29762-2', {
        inside: smoking(template, ASSERTION),
        type: 'Observation',
      });
      assert.equal((found['code'] as { coding: { code: string }[] }).coding[0]?.code, '72166-2');
      assert.equal((found['valueCodeableConcept'] as { text: string }).text, 'Former smoker');
      assert.deepEqual(found['effectivePeriod'], { start: '2005', end: '2010' });
    }
  });

  it('keeps a code that is more specific', async () => {
    const code = `<code code="230056004" codeSystem="${SNOMED}" displayName="Cigarette consumption"/>`;
    const found = await readOnlyResource('29762-2', {
      inside: smoking('2.16.840.1.113883.10.20.22.4.38', code),
      type: 'Observation',
    });
    assert.equal((found['code'] as { coding: { code: string }[] }).coding[0]?.code, '230056004');
  });

  const deny = (observation: string): string =>
    observation.replace('<observation', '<observation negationInd="true"');

  it('says that its value is negated', async () => {
    const found = await readOnlyResource('29762-2', {
      inside: deny(smoking('2.16.840.1.113883.10.20.22.4.78', ASSERTION)),
      type: 'Observation',
    });
    assert.equal(found['valueString'], 'not Former smoker (negated in the document)');
    assert.match(JSON.stringify(found['extension']), /negated-value.*8517006/);
  });

  it('is kept in the note of its section where it is negated without a value', async () => {
    const inside = smoking('2.16.840.1.113883.10.20.22.4.78', ASSERTION).replace(/<value.*\/>/, '');
    const read = await convertCcdaSection('29762-2', entry(deny(inside)));
    assert.deepEqual(
      read.resources.map(({ resourceType }) => resourceType),
      ['DocumentReference'],
    );
  });
});

describe('family history in a C-CDA document', () => {
  it('keeps as a note what is denied of a relative', async () => {
    const found = await readOnlyResource('10157-6', {
      type: 'FamilyMemberHistory',
      inside: `<organizer classCode="CLUSTER" moodCode="EVN"><subject><relatedSubject classCode="PRS">
        <code code="MTH" codeSystem="2.16.840.1.113883.5.111" displayName="Mother"/></relatedSubject></subject>
        <component><observation classCode="OBS" moodCode="EVN" negationInd="true"><code code="64572001"/>
          <value xsi:type="CD" nullFlavor="OTH"><originalText>Breast cancer</originalText></value>
        </observation></component></organizer>`,
    });
    assert.equal(found['condition'], undefined);
    assert.deepEqual(found['note'], [{ text: 'Denied: Breast cancer' }]);
  });

  it('becomes a FamilyMemberHistory for each relative, with age and cause of death', async () => {
    const found = await readOnlyResource('10157-6', {
      type: 'FamilyMemberHistory',
      inside: `<organizer classCode="CLUSTER" moodCode="EVN"><subject><relatedSubject classCode="PRS">
        <code code="FTH" codeSystem="2.16.840.1.113883.5.111" displayName="Father"/>
        <subject><administrativeGenderCode code="M"/><birthTime value="1912"/></subject></relatedSubject></subject>
        <component><observation classCode="OBS" moodCode="EVN"><code code="64572001"/>
          <value xsi:type="CD" code="22298006" codeSystem="${SNOMED}" displayName="Myocardial infarction"/>
          <entryRelationship typeCode="CAUS"><observation classCode="OBS" moodCode="EVN"><code code="ASSERTION"/><value xsi:type="CD" code="419099009" codeSystem="${SNOMED}" displayName="Dead"/></observation></entryRelationship>
          <entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><code code="445518008"/><value xsi:type="PQ" value="57" unit="a"/></observation></entryRelationship>
        </observation></component></organizer>`,
    });
    assert.equal((found['relationship'] as { text: string }).text, 'Father');
    assert.deepEqual([found['bornDate'], found['deceasedBoolean']], ['1912', true]);
    const [condition] = found['condition'] as {
      code: { text: string };
      contributedToDeath: boolean;
      onsetAge: { value: string };
    }[];
    assert.deepEqual(
      [condition?.code.text, condition?.contributedToDeath, condition?.onsetAge.value],
      ['Myocardial infarction', true, '57'],
    );
  });
});

describe('a plan in a C-CDA document', () => {
  const planned = (mood: string, inside: string): string =>
    `<observation classCode="OBS" moodCode="${mood}">${inside}</observation>`;
  const CODE = `<code code="73761001" codeSystem="${SNOMED}" displayName="Colonoscopy"/>`;

  it('becomes a ServiceRequest, or a Goal by its mood', async () => {
    const asked = await readOnlyResource('18776-5', {
      inside: planned('RQO', `${CODE}<effectiveTime value="20130613"/>`),
      type: 'ServiceRequest',
    });
    assert.deepEqual(
      [asked['intent'], asked['status'], asked['occurrenceDateTime']],
      ['order', 'active', '2013-06-13'],
    );
    const goal = await readOnlyResource('18776-5', { inside: planned('GOL', CODE), type: 'Goal' });
    assert.deepEqual(
      [goal['lifecycleStatus'], (goal['description'] as { text: string }).text],
      ['active', 'Colonoscopy'],
    );
  });

  it('keeps what a goal aims at, and by when', async () => {
    const saturation = `<code code="59408-5" codeSystem="2.16.840.1.113883.6.1" displayName="Oxygen saturation"/>`;
    const aim = async (value: string): Promise<unknown> => {
      const goal = await readOnlyResource('61146-7', {
        inside: planned(
          'GOL',
          `${saturation}<effectiveTime><low value="20150722"/><high value="20160101"/></effectiveTime>${value}`,
        ),
        type: 'Goal',
      });
      assert.equal(goal['startDate'], '2015-07-22');
      const [target] = goal['target'] as Record<string, unknown>[];
      assert.equal(target?.['dueDate'], '2016-01-01');
      return target?.['detailQuantity'] ?? target?.['detailRange'] ?? target?.['detailString'];
    };
    const unit = { unit: '%', system: 'http://unitsofmeasure.org', code: '%' };
    const plain = (found: unknown): unknown => JSON.parse(JSON.stringify(found));
    assert.deepEqual(plain(await aim('<value xsi:type="IVL_PQ"><low value="92" unit="%"/></value>')), {
      value: '92',
      ...unit,
      comparator: '>=',
    });
    assert.deepEqual(
      plain(
        await aim('<value xsi:type="IVL_PQ"><low value="92" unit="%"/><high value="98" unit="%"/></value>'),
      ),
      { low: { value: '92', ...unit }, high: { value: '98', ...unit } },
    );
    assert.equal(await aim('<value xsi:type="ST">as high as at rest</value>'), 'as high as at rest');
  });

  it('is read from the statement inside of an empty request', async () => {
    const inside = `<procedure classCode="PROC" moodCode="RQO"><id root="1"/><entryRelationship typeCode="REFR">
      <procedure classCode="PROC" moodCode="EVN">${CODE}<statusCode code="active"/></procedure></entryRelationship></procedure>`;
    const asked = await readOnlyResource('18776-5', { inside, type: 'ServiceRequest' });
    assert.deepEqual([asked['intent'], (asked['code'] as { text: string }).text], ['order', 'Colonoscopy']);
  });

  it('is kept in the note of its section where it is instructions', async () => {
    const inside = `<act classCode="ACT" moodCode="INT"><templateId root="2.16.840.1.113883.10.20.22.4.20"/>${CODE}</act>`;
    const { resources } = await convertCcdaSection('18776-5', entry(inside));
    assert.deepEqual(
      resources.map(({ resourceType }) => resourceType),
      ['DocumentReference'],
    );
  });
});

describe('other sections of a C-CDA document', () => {
  it('give devices in use', async () => {
    const read = await convertCcdaSection(
      '46264-8',
      entry(`<supply classCode="SPLY" moodCode="EVN"><statusCode code="completed"/><effectiveTime><high value="2013"/></effectiveTime>
      <participant typeCode="PRD"><participantRole classCode="MANU"><playingDevice><code code="87405001" codeSystem="${SNOMED}" displayName="cane"/></playingDevice></participantRole></participant></supply>`),
    );
    const [device] = filterByType(read, 'Device');
    const [use] = filterByType(read, 'DeviceUseStatement');
    assert.deepEqual(use?.['device'], { reference: `Device/${String(device?.id)}` });
    assert.deepEqual(use?.['timingPeriod'], { end: '2013' });
  });

  it('give coverage with payer and member', async () => {
    const found = await readOnlyResource('48768-6', {
      type: 'Coverage',
      inside: `<act classCode="ACT" moodCode="EVN"><entryRelationship typeCode="COMP"><act classCode="ACT" moodCode="EVN"><id root="1.5"/>
        <code code="81" codeSystem="2.16.840.1.113883.3.221.5" displayName="Self-pay"/>
        <performer><assignedEntity><id root="1.6"/><representedOrganization><name>Good Health</name></representedOrganization></assignedEntity></performer>
        <participant typeCode="COV"><participantRole><id root="1.8" extension="1138345"/></participantRole></participant></act></entryRelationship></act>`,
    });
    assert.equal((found['payor'] as { display: string }[])[0]?.display, 'Good Health');
    assert.equal(found['subscriberId'], '1138345');
  });

  it('give care teams with their members', async () => {
    const found = await readOnlyResource('85847-2', {
      type: 'CareTeam',
      inside: `<organizer classCode="CLUSTER" moodCode="EVN"><code code="86744-0" codeSystem="2.16.840.1.113883.6.1" displayName="Care team"/><statusCode code="active"/>
        <component><act classCode="PCPR" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.500.1"/>
        <performer><assignedEntity><id root="1.7"/><assignedPerson><name>Dr. Who</name></assignedPerson></assignedEntity></performer></act></component></organizer>`,
    });
    assert.equal((found['participant'] as { member: { display: string } }[])[0]?.member.display, 'Dr. Who');
  });

  it('give functional status, alone and in organizers', async () => {
    const observation = `<observation classCode="OBS" moodCode="EVN"><code code="54522-8" codeSystem="2.16.840.1.113883.6.1" displayName="Walking"/><statusCode code="completed"/><value xsi:type="ST">Independent</value></observation>`;
    for (const inside of [
      observation,
      `<organizer classCode="CLUSTER" moodCode="EVN"><component>${observation}</component></organizer>`,
    ]) {
      const found = await readOnlyResource('47420-5', { inside, type: 'Observation' });
      assert.equal(found['valueString'], 'Independent');
    }
  });
});
