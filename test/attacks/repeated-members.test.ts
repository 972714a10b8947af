import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_LABELS } from '../../server/consent/access/sensitivity-labels.ts';
import { createArchive } from '../harness/archive.ts';
import { getEverything } from '../harness/fhir.ts';
import { createEmptyRecord, importBatch, selectLabels } from '../harness/import-record.ts';
import {
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type TestService,
} from '../harness/service.ts';
import { openTestStore } from '../harness/store.ts';

const condition = (id: string, members: string): string =>
  `{"resourceType":"Condition","id":"${id}",${members},"subject":{"reference":"Patient/p"}}`;
const HIV =
  '"code":{"coding":[{"system":"http://snomed.info/sct","code":"86406008","display":"HIV infection"}]}';
const COLD = '"code":{"text":"Common cold"}';
const R = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';

/** Each of them hides from its labels what its bytes hold. */
const HIDING: Readonly<Record<string, string>> = {
  code: `${HIV},${COLD}`,
  text: '"code":{"text":"HIV infection","text":"Common cold"}',
  meta: `"meta":{"security":[{"system":"${R}","code":"R"}]},"meta":{},"note":[{"text":"HIV"}],"note":[]`,
  contained: `"contained":[{"resourceType":"Condition",${HIV},${COLD}}]`,
  extension: '"extension":[{"url":"u","valueString":"HIV infection","valueString":"Common cold"}]',
  prototype: `"__proto__":{${HIV}},${COLD}`,
};

describe('L13: a resource with two members of one name', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  it('is refused, so that nobody is given what its labels do not know, and the rest of the file stays', async () => {
    const patient = await newTestPatient(service);
    const NORMAL = { consentDataSensitivityScopes: ['NORMAL'] };
    assert.equal((await decide(service, patient, 'OPTED_IN', NORMAL)).status, 201);
    const hiding = Object.entries(HIDING).map(([id, members]) => condition(id, members));
    const lines = [condition('cold', COLD), ...hiding, condition('flu', COLD)];
    const batch = await upload(service, patient, await createArchive({ 'all.ndjson': lines.join('\n') }));
    assert.deepEqual(
      batch.rejected.map(({ path, code }: { path: string; code: string }) => [path, code]),
      hiding.map((_, index) => [`all.ndjson#line ${index + 2}`, 'repeated_member']),
    );
    const token = await getOrganizationToken(service);
    const { body } = await getEverything(service, { id: patient.id, token });
    const given = JSON.stringify(body);
    assert.match(given, /Condition\/cold.*Condition\/flu/);
    assert.doesNotMatch(given, /HIV/);
  });

  it('requires every category and class where it was stored before it was refused', async () => {
    const store = await openTestStore('embedded');
    try {
      const chart = await createEmptyRecord(store.db);
      await importBatch(store.db, chart, [condition('old', `${HIV},${COLD}`), condition('cold', COLD)]);
      const labels = Object.fromEntries(
        (await store.db.query(selectLabels(chart))).map((row) => [row.reference, row.required_labels]),
      );
      assert.equal(labels['Condition/old'], ALL_LABELS);
      assert.notEqual(labels['Condition/cold'], ALL_LABELS);
    } finally {
      await store.remove();
    }
  });
});
