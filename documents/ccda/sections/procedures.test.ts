import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterByType, convertCcdaSection } from '../../../test/harness/ccda-section.ts';

const CODE = '<code code="73761001" codeSystem="2.16.840.1.113883.6.96" displayName="Colonoscopy"/>';
const entry = (form: string, inside: string): string => {
  const [name = ''] = form.split(' ');
  return `<entry><${form}>${inside}</${name}></entry>`;
};
const read = (...entries: string[]) => convertCcdaSection('47519-4', `<text/>${entries.join('')}`);

async function readOnlyProcedure(form: string, inside: string): Promise<Record<string, unknown>> {
  const [found, ...others] = filterByType(await read(entry(form, inside)), 'Procedure');
  assert.ok(found && others.length === 0);
  return found;
}

describe('a procedure of a C-CDA document', () => {
  it('becomes a Procedure in each of its three forms', async () => {
    for (const form of ['procedure', 'act', 'observation']) {
      const found = await readOnlyProcedure(
        `${form} moodCode="EVN"`,
        `${CODE}<statusCode code="completed"/><effectiveTime value="20120512"/>`,
      );
      assert.equal(found['status'], 'completed', form);
      assert.equal(found['performedDateTime'], '2012-05-12');
    }
  });

  it('is not done where it is negated, cancelled or only intended', async () => {
    assert.equal(
      (await readOnlyProcedure('procedure moodCode="EVN" negationInd="true"', CODE))['status'],
      'not-done',
    );
    assert.equal(
      (await readOnlyProcedure('procedure moodCode="EVN"', `${CODE}<statusCode code="cancelled"/>`))[
        'status'
      ],
      'not-done',
    );
    assert.equal((await readOnlyProcedure('procedure moodCode="INT"', CODE))['status'], 'preparation');
    assert.equal((await readOnlyProcedure('procedure moodCode="EVN"', CODE))['status'], 'unknown');
  });

  it('leaves no device in the patient where it is negated', async () => {
    const device = `<participant typeCode="DEV"><participantRole classCode="MANU"><playingDevice>
      <code code="14106009" codeSystem="2.16.840.1.113883.6.96" displayName="Pacemaker"/></playingDevice>
      </participantRole></participant>`;
    const found = await read(entry('procedure moodCode="EVN" negationInd="true"', CODE + device));
    assert.equal(filterByType(found, 'Device').length, 0);
  });

  it('has its value in a separate Observation where it has the form of one', async () => {
    const value = '<value xsi:type="PQ" value="3.0" unit="mm"/>';
    const found = await read(
      entry('observation moodCode="EVN"', `${CODE}<statusCode code="completed"/>${value}`),
    );
    const [procedure] = filterByType(found, 'Procedure') as Record<string, unknown>[];
    const [observation] = filterByType(found, 'Observation') as Record<string, unknown>[];
    assert.deepEqual(observation?.['partOf'], [{ reference: `Procedure/${String(procedure?.['id'])}` }]);
    assert.equal((observation?.['valueQuantity'] as { value: string } | undefined)?.value, '3.0');
  });

  it('gives its devices as Devices of the patient', async () => {
    const device = `<participant typeCode="DEV"><participantRole classCode="MANU"><id root="2.16.840.1.113883.3.3719" extension="(01)123"/>
      <playingDevice><code code="90412006" codeSystem="2.16.840.1.113883.6.96" displayName="Colonoscope"/></playingDevice></participantRole></participant>`;
    const found = await read(entry('procedure moodCode="EVN"', CODE + device));
    const [made] = filterByType(found, 'Device') as Record<string, unknown>[];
    assert.deepEqual(made?.['udiCarrier'], [{ carrierHRF: '(01)123' }]);
    assert.deepEqual(filterByType(found, 'Procedure')[0]?.['focalDevice'], [
      { manipulated: { reference: `Device/${String(made?.['id'])}` } },
    ]);
  });

  it('is counted with a reason where everything is unknown, and where it is a duplicate', async () => {
    const unknown = entry('procedure moodCode="EVN"', '<code nullFlavor="UNK"/>');
    const { skipped: leftOut } = await read(unknown, unknown, entry('supply moodCode="EVN"', CODE));
    assert.deepEqual(
      leftOut.map(({ reason }) => reason),
      ['null_flavored', 'duplicate', 'no_form'],
    );
  });
});
