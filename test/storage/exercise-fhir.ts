import assert from 'node:assert/strict';
import { purgeKeptAnswers } from '../../server/clinical/store/kept-answers.ts';
import { purgeVersions } from '../../server/clinical/store/purge-versions.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import {
  getEverything,
  buildEverythingPath,
  findLink,
  fetchNdjsonLines,
  type Bundle,
} from '../harness/fhir.ts';
import { call, decide, type TestPatient, type TestService } from '../harness/service.ts';

const DAYS_MS = 24 * 3600 * 1000;

/** A record is read as FHIR in every way: by its organization and by its patient, all of it and what a consent leaves. */
export async function exerciseFhir(
  service: TestService,
  { patient, admin, db }: { patient: TestPatient; admin: string; db: Db },
): Promise<void> {
  const partner = { id: patient.id, token: admin };
  const before = new Date(Date.now() - 3 * DAYS_MS).toISOString();
  for (const caller of [partner, patient]) {
    const { body } = await getEverything(service, caller, '_count=5');
    const next = await call(
      service,
      (findLink(body as Bundle, 'next') ?? '').slice(service.baseUrl.length),
      caller,
    );
    assert.equal((next.body as Bundle).entry.length, 5);
    for (const query of [
      '_count=3&_offset=4',
      '_type=Observation&_count=1',
      `_since=${before}&_type=Patient`,
      'start=2000&end=2100&_count=2',
    ]) {
      const { status, body: page } = await getEverything(service, caller, query);
      assert.deepEqual([status, page.total > 0], [200, true], query);
    }
    assert.ok((await fetchNdjsonLines(service, caller)).length > 5);
    // Before all of it.
    assert.equal((await getEverything(service, caller, `_state=${before}`)).status, 200);
  }
  await recordConsentWithout(service, patient, 'CONTACT_INFO');
  const lines = await fetchNdjsonLines(service, partner);
  await decide(service, patient, 'OPTED_IN');
  const names = lines.map((line) => JSON.parse(line) as { resourceType: string; id: string });
  const { id } = names.find(({ resourceType }) => resourceType === 'Patient') ?? assert.fail('no Patient');
  for (const url of [
    `Person/${patient.id}`,
    `Patient/${id}`,
    `Patient/${id}/$everything`,
    `Person/${patient.id}/Patient/${id}`,
  ])
    for (const token of [admin, patient.token])
      assert.equal((await call(service, `/FHIR/R4/${url}`, { token })).status, 200, url);
  const nobody = buildEverythingPath('00000000-0000-4000-8000-000000000000');
  assert.equal((await call(service, nobody, { token: admin })).status, 403);
  await purgeVersions({ db, clock: systemClock });
  await purgeKeptAnswers({ db, clock: systemClock });
}
