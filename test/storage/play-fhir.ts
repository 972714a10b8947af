import assert from 'node:assert/strict';
import { purgeVersions } from '../../server/fhir/purge-versions.ts';
import { systemClock } from '../../server/kernel/clock.ts';
import type { Db } from '../../server/storage/db.ts';
import { consentWithout } from '../harness/consent-record.ts';
import { everything, everythingPath, linkOf, ndjsonLines, type Bundle } from '../harness/fhir.ts';
import { call, decide, type TestPatient, type TestService } from '../harness/service.ts';

const DAYS_MS = 24 * 3600 * 1000;

/** A record is read as FHIR in every way: by its organization and by its patient, all of it and what a consent leaves. */
export async function playFhir(
  service: TestService,
  { patient, admin, db }: { patient: TestPatient; admin: string; db: Db },
): Promise<void> {
  const partner = { id: patient.id, token: admin };
  const before = new Date(Date.now() - 3 * DAYS_MS).toISOString();
  for (const who of [partner, patient]) {
    const { body } = await everything(service, who, '_count=5');
    const next = await call(
      service,
      (linkOf(body as Bundle, 'next') ?? '').slice(service.baseUrl.length),
      who,
    );
    assert.equal((next.body as Bundle).entry.length, 5);
    for (const query of [
      '_count=3&_offset=4',
      '_type=Observation&_count=1',
      `_since=${before}&_type=Patient`,
    ]) {
      const { status, body: page } = await everything(service, who, query);
      assert.deepEqual([status, page.total > 0], [200, true], query);
    }
    assert.ok((await ndjsonLines(service, who)).length > 5);
    // Before all of it.
    assert.equal((await everything(service, who, `_state=${before}`)).status, 200);
  }
  await consentWithout(service, patient, 'CONTACT_INFO');
  const lines = await ndjsonLines(service, partner);
  await decide(service, patient, 'OPTED_IN');
  const names = lines.map((line) => JSON.parse(line) as { resourceType: string; id: string });
  const { id } = names.find(({ resourceType }) => resourceType === 'Patient') ?? assert.fail('no Patient');
  for (const url of [`Person/${patient.id}`, `Patient/${id}`, `Person/${patient.id}/Patient/${id}`])
    for (const token of [admin, patient.token])
      assert.equal((await call(service, `/FHIR/R4/${url}`, { token })).status, 200, url);
  const nobody = everythingPath('00000000-0000-4000-8000-000000000000');
  assert.equal((await call(service, nobody, { token: admin })).status, 404);
  await purgeVersions({ db, clock: systemClock });
}
