import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  fetchAllPages,
  getEverything,
  findLink,
  listReferences,
  parseReferences,
  fetchNdjsonLines,
  type Bundle,
} from '../harness/fhir.ts';
import { buildOddRecord } from '../harness/odd-record.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const LATER = createBundle(
  { resourceType: 'Condition', id: 'later1', code: { text: 'Cough' } },
  { resourceType: 'Observation', id: 'later2', status: 'final', code: { text: 'Weight' } },
  { resourceType: 'Condition', id: 'later3', code: { text: 'Fever' } },
  // In a searchset it would be a message of ours.
  { resourceType: 'OperationOutcome', id: 'later4', issue: [{ severity: 'warning', code: 'informational' }] },
);
const LATER_NAMES = ['Condition/later1', 'Observation/later2', 'Condition/later3'];

for (const engine of JOURNEY_ENGINES) {
  describe(`Person/$everything on ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    let partner: { id: string; token: string };
    /** Of the whole record, in its order; the state between its two uploads. */
    let names: string[];
    let between: string;
    before(async () => {
      service = await startTestService({ engine });
      patient = await newTestPatient(service);
      partner = { id: patient.id, token: await getOrganizationToken(service) };
      await upload(service, patient, await createArchive(buildOddRecord()));
      between = await readLastUpdated();
      await upload(service, patient, await createArchive({ 'later.json': LATER }));
      names = listReferences([(await getEverything(service, partner, '_count=5000')).body as Bundle]);
    });
    after(() => service.stop());

    const readLastUpdated = async (): Promise<string> =>
      (await getEverything(service, partner, '_count=0')).body.meta.lastUpdated as string;

    it('begins with the person, who links to the Patient of the record', async () => {
      const { status, headers, body } = await getEverything(service, partner);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(headers.get('content-type') ?? '', /^application\/fhir\+json/);
      assert.equal(headers.get('cache-control'), 'no-store');
      const bundle = body as Bundle;
      assert.deepEqual(
        [bundle.resourceType, bundle.type, bundle.total],
        ['Bundle', 'searchset', names.length],
      );
      const [first] = bundle.entry;
      assert.equal(first?.fullUrl, `${service.baseUrl}/FHIR/R4/Person/${patient.id}`);
      assert.deepEqual([first?.resource.resourceType, first?.resource.id], ['Person', patient.id]);
      assert.ok(first?.resource['name'] && first.resource['birthDate'], JSON.stringify(first));
      // As the address of the entry: relative, it would resolve against the base of the Person, where no record is.
      const linked = bundle.entry.find(({ resource }) => resource.resourceType === 'Patient');
      assert.equal(linked?.fullUrl, `${first?.fullUrl}/Patient/p`);
      assert.deepEqual(first?.resource['link'], [{ target: { reference: linked.fullUrl } }]);
      assert.ok(bundle.entry.every(({ search }) => search.mode === 'match'));
    });

    it('gives what was uploaded, each resource once, at every page size', async () => {
      assert.equal(new Set(names).size, names.length);
      const uploaded = Object.values(buildOddRecord()).map((text) => parseReferences([text])[0] ?? '');
      assert.deepEqual([...names].sort(), [`Person/${patient.id}`, ...uploaded, ...LATER_NAMES].sort());
      for (const count of [1, 7, 100, 5000]) {
        const pages = await fetchAllPages(service, partner, `_count=${count}`);
        assert.deepEqual(listReferences(pages), names);
        assert.deepEqual([...new Set(pages.map(({ total }) => total))], [names.length]);
        assert.equal(pages.length, Math.ceil(names.length / count));
      }
    });

    const TYPES = [null, 'Patient', 'Condition,Person', 'Observation,Condition', 'Immunization'];
    for (const types of TYPES) {
      it(`gives any part of ${types ?? 'all types'}, by _count, _offset and _since together`, async () => {
        for (const since of [null, between]) {
          const of = types?.split(',');
          const selected = names.filter(
            (name) =>
              of?.includes(name.split('/')[0] ?? '') !== false &&
              (since === null || LATER_NAMES.includes(name)),
          );
          const total = selected.length;
          for (const count of [0, 1, 3, 100])
            for (const offset of new Set(
              [0, 1, 2, total - 1, total, total + 5].filter((place) => place >= 0),
            )) {
              const query = new URLSearchParams({
                _count: String(count),
                _offset: String(offset),
                ...(types !== null && { _type: types }),
                ...(since !== null && { _since: since }),
              }).toString();
              const { status, body } = await getEverything(service, partner, query);
              assert.equal(status, 200, query);
              const bundle = body as Bundle;
              assert.deepEqual(listReferences([bundle]), selected.slice(offset, offset + count), query);
              assert.equal(bundle.total, total, query);
              const goesOn = count > 0 && offset + count < total;
              assert.deepEqual(
                bundle.link.map(({ relation }) => relation),
                ['self', 'first', ...(goesOn ? ['next'] : []), 'last'],
                query,
              );
              await assertLinksFollow(bundle, { selected, offset, count });
            }
        }
      });
    }

    async function assertLinksFollow(
      bundle: Bundle,
      { selected, offset, count }: { selected: string[]; offset: number; count: number },
    ): Promise<void> {
      if (count !== 3) return;
      const places = {
        self: offset,
        first: 0,
        next: offset + count,
        last: Math.floor(Math.max(0, selected.length - 1) / count) * count,
      };
      for (const { relation, url } of bundle.link) {
        const { status, body } = await call(service, url.slice(service.baseUrl.length), {
          token: partner.token,
        });
        assert.equal(status, 200, url);
        const place = places[relation as keyof typeof places];
        assert.deepEqual(listReferences([body as Bundle]), selected.slice(place, place + count), url);
      }
    }

    it('takes 500 entries for a page when nothing is said, and never more than 5000', async () => {
      const asked = async (query: string): Promise<string | null> => {
        const { body } = await getEverything(service, partner, query);
        return new URL(findLink(body as Bundle, 'self') ?? '').searchParams.get('_count');
      };
      assert.deepEqual(
        [await asked(''), await asked('_count=5001'), await asked('_count=999999999')],
        ['500', '5000', '5000'],
      );
    });

    it('says who it is of a record that nothing came to yet', async () => {
      const newcomer = await newTestPatient(service);
      const who = { id: newcomer.id, token: partner.token };
      const [page, ...more] = (await fetchAllPages(service, who)) as [Bundle, ...Bundle[]];
      assert.deepEqual([listReferences([page]), page.total, more], [[`Person/${newcomer.id}`], 1, []]);
      const person = page.entry[0]?.resource;
      assert.equal(person?.['link'], undefined);
      // A client that asks for what came since must miss nothing that is on its way at this moment.
      const { meta } = page as unknown as { meta: unknown };
      assert.deepEqual(meta, person?.['meta']);
      assert.deepEqual(parseReferences(await fetchNdjsonLines(service, who)), [`Person/${newcomer.id}`]);
    });

    it('is whole, whatever total a client makes up', async () => {
      for (const made of [0, 3, 9999]) {
        const pages = await fetchAllPages(service, partner, `_count=4&_total=${made}`);
        assert.deepEqual(listReferences(pages), names);
        assert.ok(pages.every(({ total }) => total === names.length));
      }
    });

    it('has no empty list on a page without entries, and says how many there are', async () => {
      for (const query of ['_count=0', '_type=Immunization', '_offset=9999']) {
        const { body } = await getEverything(service, partner, query);
        assert.equal('entry' in body, false, query);
        assert.equal(body.total, query === '_type=Immunization' ? 0 : names.length);
      }
    });

    it('comes as lines, one for each resource, also when a filter leaves nothing', async () => {
      assert.deepEqual(parseReferences(await fetchNdjsonLines(service, partner)), names);
      assert.deepEqual(
        parseReferences(await fetchNdjsonLines(service, partner, `_since=${between}&_type=Condition`)),
        ['Condition/later1', 'Condition/later3'],
      );
      for (const type of ['Immunization', 'OperationOutcome'])
        assert.deepEqual(await fetchNdjsonLines(service, partner, `_type=${type}`), []);
      // Pages are none of its business.
      assert.deepEqual(
        parseReferences(await fetchNdjsonLines(service, partner, '_count=2&_offset=5&_total=1')),
        names,
      );
    });
  });
}
