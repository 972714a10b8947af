import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { archiveOf } from '../harness/archive.ts';
import { allPages, everything, everythingPath, linkOf, namesIn, type Bundle } from '../harness/fhir.ts';
import {
  call,
  decide,
  newOrganization,
  newProject,
  newTestPatient,
  organizationToken,
  recordArchive,
  testService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';

for (const engine of ENGINES) {
  describe(`Person/$everything on ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    let admin: string;
    let partner: { id: string; token: string };
    before(async () => {
      service = await testService({ engine });
      patient = await newTestPatient(service);
      admin = await organizationToken(service);
      partner = { id: patient.id, token: admin };
      await upload(service, patient, await recordArchive({ years: 4 }));
    });
    after(() => service.stop());

    it('begins with the person, who links to the Patient of the record', async () => {
      const { status, headers, body } = await everything(service, partner);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(headers.get('content-type') ?? '', /^application\/fhir\+json/);
      const bundle = body as Bundle;
      assert.equal(bundle.resourceType, 'Bundle');
      assert.equal(bundle.type, 'searchset');
      const [first] = bundle.entry;
      assert.equal(first?.resource.resourceType, 'Person');
      assert.equal(first?.resource.id, patient.id);
      assert.ok(first?.resource['name'] && first.resource['birthDate'], JSON.stringify(first));
      const [link] = first?.resource['link'] as { target: { reference: string } }[];
      assert.ok(namesIn([bundle]).includes(link?.target.reference ?? ''));
      assert.ok(bundle.entry.every(({ search }) => search.mode === 'match'));
    });

    it('gives the same resources once each, at every page size', async () => {
      const whole = namesIn([(await everything(service, partner, '_count=5000')).body as Bundle]);
      assert.ok(whole.length > 50, `${whole.length}`);
      assert.equal(new Set(whole).size, whole.length);
      for (const count of [1, 7, 100]) {
        const pages = await allPages(service, partner, `_count=${count}`);
        assert.deepEqual(namesIn(pages), whole);
        assert.deepEqual([...new Set(pages.map(({ total }) => total))], [whole.length]);
        assert.equal(pages.length, Math.ceil(whole.length / count));
      }
    });
    it('counts only, when no entries are asked for', async () => {
      const { body } = await everything(service, partner, '_count=0');
      assert.deepEqual([body.entry, body.total > 50, linkOf(body as Bundle, 'next')], [[], true, undefined]);
    });
  });
}
