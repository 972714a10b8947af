import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertCcdaDocument } from '../../../test/harness/ccda-document.ts';

async function patient(person: string, role = ''): Promise<Record<string, unknown>> {
  const { ofType: of } = await convertCcdaDocument({ person: `${role}<patient>${person}</patient>` });
  return of('Patient')[0] as Record<string, unknown>;
}

describe('the patient of a C-CDA document', () => {
  it('has names with their use, and the birth name as a maiden name', async () => {
    const { name } = await patient(`
      <name use="L"><given>Ada</given><given qualifier="CL">Addie</given><family>Lovelace</family><suffix>III</suffix></name>
      <name><given>Ada</given><family qualifier="BR">Byron</family></name><name>Countess of Lovelace</name>`);
    assert.deepEqual(name, [
      { use: 'usual', family: 'Lovelace', given: ['Ada', 'Addie'], suffix: ['III'] },
      { use: 'maiden', family: 'Byron', given: ['Ada'] },
      { text: 'Countess of Lovelace' },
    ]);
  });

  it('has a birth date in the precision of the document', async () => {
    assert.equal((await patient('<birthTime value="1815"/>'))['birthDate'], '1815');
    assert.equal((await patient('<birthTime value="18151210"/>'))['birthDate'], '1815-12-10');
    const exact = await patient('<birthTime value="181512100430-0000"/>');
    assert.equal(exact['birthDate'], '1815-12-10');
    assert.match(JSON.stringify(exact['_birthDate']), /patient-birthTime.*1815-12-10T04:30:00/);
    const unknown = await patient('<birthTime nullFlavor="ASKU"/>');
    assert.equal(unknown['birthDate'], undefined);
    assert.match(JSON.stringify(unknown['_birthDate']), /data-absent-reason.*asked-unknown/);
  });

  it('has a FHIR gender: unknown where it is null-flavored, none where it is absent', async () => {
    assert.equal((await patient('<administrativeGenderCode code="F"/>'))['gender'], 'female');
    assert.equal((await patient('<administrativeGenderCode code="UN"/>'))['gender'], 'other');
    assert.equal((await patient('<administrativeGenderCode nullFlavor="UNK"/>'))['gender'], 'unknown');
    assert.equal((await patient(''))['gender'], undefined);
  });

  it('has race and ethnicity as US Core has them', async () => {
    const { extension } = await patient(`
      <raceCode code="2106-3" displayName="White" codeSystem="2.16.840.1.113883.6.238"/>
      <sdtc:raceCode code="2108-9" displayName="European" codeSystem="2.16.840.1.113883.6.238"/>
      <ethnicGroupCode nullFlavor="ASKU"/>`);
    const [race, ethnicity] = extension as {
      url: string;
      extension: { url: string; valueString?: string }[];
    }[];
    assert.deepEqual(
      race?.extension.map(({ url }) => url),
      ['ombCategory', 'detailed', 'text'],
    );
    assert.equal(race?.extension[2]?.valueString, 'White, European');
    assert.match(JSON.stringify(ethnicity), /v3-NullFlavor","code":"ASKU"/);
  });

  it('is deceased and a twin where the document says so', async () => {
    const { deceasedBoolean } = await patient('<sdtc:deceasedInd value="true"/>');
    assert.equal(deceasedBoolean, true);
    const { deceasedDateTime, multipleBirthInteger } = await patient(
      '<sdtc:deceasedInd value="true"/><sdtc:deceasedTime value="18521127"/><sdtc:multipleBirthOrderNumber value="2"/>',
    );
    assert.deepEqual([deceasedDateTime, multipleBirthInteger], ['1852-11-27', '2']);
  });

  it('has addresses, numbers, languages and a guardian', async () => {
    const found = await patient(
      `<guardian><code code="MTH" codeSystem="2.16.840.1.113883.5.111" displayName="mother"/>
        <guardianPerson><name><given>Anne</given><family>Byron</family></name></guardianPerson></guardian>
       <languageCommunication><languageCode code="en-GB"/><preferenceInd value="true"/></languageCommunication>`,
      `<addr use="HP"><streetAddressLine>12 St James's Square</streetAddressLine><city>London</city></addr>
       <telecom value="tel:+44-20-1" use="MC"/><telecom value="mailto:ada@example.org"/><telecom nullFlavor="UNK"/>`,
    );
    assert.deepEqual(found['address'], [{ use: 'home', line: ["12 St James's Square"], city: 'London' }]);
    assert.deepEqual(found['telecom'], [
      { system: 'phone', value: '+44-20-1', use: 'mobile' },
      { system: 'email', value: 'ada@example.org' },
    ]);
    assert.deepEqual(found['communication'], [
      { language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'en-GB' }] }, preferred: true },
    ]);
    const [guardian] = found['contact'] as { name: { family: string }; relationship: { text: string }[] }[];
    assert.deepEqual([guardian?.name.family, guardian?.relationship[0]?.text], ['Byron', 'mother']);
  });
});
