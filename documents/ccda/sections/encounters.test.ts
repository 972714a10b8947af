import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DOCUMENT_ID, convertCcdaDocument } from '../../../test/harness/ccda-document.ts';
import { filterByType, convertCcdaSection } from '../../../test/harness/ccda-section.ts';

const CPT = '2.16.840.1.113883.6.12';
const encounter = (inside: string, attributes = ''): string =>
  `<text/><entry><encounter classCode="ENC" moodCode="EVN"${attributes}>${inside}</encounter></entry>`;
const OFFICE = `<id root="1.9" extension="v1"/><code code="99213" codeSystem="${CPT}" displayName="Office visit">
  <translation code="AMB" codeSystem="2.16.840.1.113883.5.4"/></code>`;

const VISIT_ENTRY = `<id root="1.9" extension="v1"/><code code="99213" codeSystem="${CPT}" displayName="Office visit"/>
  <effectiveTime><low value="2012092713"/></effectiveTime>`;
const DIAGNOSIS = `<entryRelationship typeCode="COMP"><act classCode="ACT" moodCode="EVN"><code code="29308-4"/>
      <entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/>
      <code code="282291009"/><value xsi:type="CD" code="233604007" codeSystem="2.16.840.1.113883.6.96" displayName="Pneumonia"/>
      </observation></entryRelationship></act></entryRelationship>`;

async function readOnlyEncounter(inside: string, attributes?: string): Promise<Record<string, unknown>> {
  const [found, ...others] = filterByType(
    await convertCcdaSection('46240-8', encounter(inside, attributes)),
    'Encounter',
  );
  assert.ok(found && others.length === 0);
  return found;
}

describe('an encounter of a C-CDA document', () => {
  it('becomes an Encounter with class, type, period, location and participants', async () => {
    const found =
      await readOnlyEncounter(`${OFFICE}<effectiveTime><low value="20120927130000-0500"/></effectiveTime>
      <performer><assignedEntity><id root="1.7"/><assignedPerson><name>Dr. Seven</name></assignedPerson></assignedEntity></performer>
      <participant typeCode="LOC"><participantRole classCode="SDLOC"><playingEntity><name>Clinic</name></playingEntity></participantRole></participant>`);
    assert.equal((found['class'] as { code: string }).code, 'AMB');
    assert.equal(found['status'], 'finished');
    assert.deepEqual(found['period'], { start: '2012-09-27T13:00:00-05:00' });
    assert.equal((found['type'] as { text: string }[])[0]?.text, 'Office visit');
    assert.equal((found['location'] as { location: { display: string } }[])[0]?.location.display, 'Clinic');
    assert.equal(
      (found['participant'] as { individual: { display: string } }[])[0]?.individual.display,
      'Dr. Seven',
    );
  });

  it('has the class "unknown", which R4 requires, where the document has none', async () => {
    const found = await readOnlyEncounter(`<code code="99213" codeSystem="${CPT}"/>`);
    assert.equal((found['class'] as { code: string }).code, 'UNK');
  });

  it('gives its diagnoses as Conditions of the encounter', async () => {
    const read = await convertCcdaSection('46240-8', encounter(OFFICE + DIAGNOSIS));
    const [visit] = filterByType(read, 'Encounter') as Record<string, unknown>[];
    const [condition] = filterByType(read, 'Condition') as Record<string, unknown>[];
    assert.deepEqual(visit?.['diagnosis'], [
      { condition: { reference: `Condition/${String(condition?.['id'])}` } },
    ]);
    assert.deepEqual(condition?.['encounter'], { reference: `Encounter/${String(visit?.['id'])}` });
  });

  it('gives diagnoses of admission and discharge as well', async () => {
    for (const template of ['2.16.840.1.113883.10.20.22.4.33', '2.16.840.1.113883.10.20.22.4.34']) {
      const diagnosis = DIAGNOSIS.replace(
        '<code code="29308-4"/>',
        `<templateId root="${template}"/><code code="11535-2"/>`,
      );
      const [condition] = filterByType(
        await convertCcdaSection('46240-8', encounter(OFFICE + diagnosis)),
        'Condition',
      );
      assert.ok(condition, template);
      assert.equal((condition['code'] as { text: string }).text, 'Pneumonia');
    }
  });

  it('has the class of its text where there is no code', async () => {
    const found = await readOnlyEncounter(
      '<code nullFlavor="OTH"><originalText>Inpatient</originalText></code>',
    );
    assert.equal((found['class'] as { code: string }).code, 'IMP');
  });

  it('is not finished where it is planned, active, cancelled or negated', async () => {
    assert.equal((await readOnlyEncounter(OFFICE, ' negationInd="true"'))['status'], 'cancelled');
    assert.equal((await readOnlyEncounter(`${OFFICE}<statusCode code="active"/>`))['status'], 'in-progress');
    const planned = encounter(OFFICE).replace('moodCode="EVN"', 'moodCode="APT"');
    assert.equal(
      filterByType(await convertCcdaSection('46240-8', planned), 'Encounter')[0]?.['status'],
      'planned',
    );
  });

  it('has the reason that its narrative alone says', async () => {
    const reason = (inside: string): string =>
      `<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN">${inside}</observation></entryRelationship>`;
    const read = await convertCcdaSection(
      '46240-8',
      encounter(
        OFFICE + reason('<text><reference value="#r1"/></text><value xsi:type="CD" nullFlavor="UNK"/>'),
      ).replace('<text/>', '<text><paragraph ID="r1">Neck stiff since Monday</paragraph></text>'),
    );
    assert.deepEqual(filterByType(read, 'Encounter')[0]?.['reasonCode'], [
      { text: 'Neck stiff since Monday' },
    ]);
    assert.equal((await readOnlyEncounter(OFFICE + reason('<text/>')))['reasonCode'], undefined);
  });

  it('is counted with a reason where it is empty', async () => {
    const read = await convertCcdaSection(
      '46240-8',
      encounter('<id root="1"/>') + encounter('<id root="2"/>', ' nullFlavor="NI"').replace('<text/>', ''),
    );
    assert.deepEqual(
      read.skipped.map(({ reason }) => reason),
      ['no_content', 'null_flavored'],
    );
  });

  it('is merged with the documented visit of the same identifier', async () => {
    const read = await convertCcdaDocument({
      header: `<componentOf><encompassingEncounter><id root="1.9" extension="v1"/>
        <code code="IMP" codeSystem="2.16.840.1.113883.5.4"/><effectiveTime><low value="20120927"/><high value="20120928"/></effectiveTime></encompassingEncounter></componentOf>`,
      sections: `<section><code code="46240-8"/>${encounter(VISIT_ENTRY + DIAGNOSIS)}</section>`,
    });
    const [found, ...others] = read.ofType('Encounter') as Record<string, unknown>[];
    assert.equal(others.length, 0);
    assert.equal((found?.['type'] as { text: string }[] | undefined)?.[0]?.text, 'Office visit');
    assert.equal((found?.['period'] as { end: string } | undefined)?.end, '2012-09-28');
    assert.equal((found?.['class'] as { code: string } | undefined)?.code, 'IMP');
    assert.deepEqual(read.ofType('Condition')[0]?.['encounter'], {
      reference: `Encounter/${String(found?.['id'])}`,
    });
    const document = read.ofType('DocumentReference').find(({ id }) => id === DOCUMENT_ID);
    assert.deepEqual(document?.['context'], {
      encounter: [{ reference: `Encounter/${String(found?.['id'])}` }],
    });
  });
});

describe('who took part in an encounter of a C-CDA document', () => {
  const PSYCHIATRY = `<code code="2084P0800X" codeSystem="2.16.840.1.113883.6.101" displayName="Psychiatry"/>`;
  const CLINIC = '<representedOrganization><name>Bay Clinic</name></representedOrganization>';
  const readPerformer = async (inside: string) => {
    const performer = `<performer><assignedEntity>${inside}</assignedEntity></performer>`;
    const read = await convertCcdaSection('46240-8', encounter(OFFICE + performer));
    const [visit] = filterByType(read, 'Encounter') as { participant?: { individual: object }[] }[];
    return { individual: visit?.participant?.[0]?.individual, roles: filterByType(read, 'PractitionerRole') };
  };

  it('case 528: keeps the specialty of somebody without a name, and is called as nobody is', async () => {
    for (const inside of [
      `<id root="1"/>${PSYCHIATRY}`,
      `<id nullFlavor="UNK"/>${PSYCHIATRY}`,
      `<id root="1"/>${PSYCHIATRY}${CLINIC}`,
      `<id root="1"/>${PSYCHIATRY}<assignedPerson><name nullFlavor="UNK"/></assignedPerson>${CLINIC}`,
    ]) {
      const { individual, roles } = await readPerformer(inside);
      const [role] = roles as unknown as {
        id: string;
        specialty: { text: string }[];
        organization?: object;
      }[];
      assert.deepEqual(individual, { reference: `PractitionerRole/${role?.id}` });
      assert.equal(role?.specialty[0]?.text, 'Psychiatry');
      assert.equal(role.organization !== undefined, inside.includes('Bay'));
    }
  });

  it('is no role where no specialty is known', async () => {
    assert.deepEqual((await readPerformer(`<id root="1"/>${CLINIC}`)).roles, []);
  });

  it('has a place by its kind where that has no name', async () => {
    const place = `<participant typeCode="LOC"><participantRole classCode="SDLOC"><code code="PHU"
      codeSystem="2.16.840.1.113883.5.111"/></participantRole></participant>`;
    const read = await convertCcdaSection('46240-8', encounter(OFFICE + place));
    const [location] = filterByType(read, 'Location') as unknown as {
      type: { coding: { code: string }[] }[];
    }[];
    assert.equal(location?.type[0]?.coding[0]?.code, 'PHU');
  });
});
