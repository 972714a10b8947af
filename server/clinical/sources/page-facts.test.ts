import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseJsonBody } from './fhir-client.ts';
import { SOURCE_LIMITS } from './limits.ts';
import { readPageFacts, type PageFacts } from './page-facts.ts';
import { createFetchedPages, fetchPages } from './paging.ts';

let folder: string;
before(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chartgate-page-'));
});
after(() => fs.rm(folder, { recursive: true, force: true }));

async function readPage(text: string): Promise<PageFacts> {
  const file = path.join(folder, 'page.json');
  await fs.writeFile(file, text);
  const expected = {
    type: 'Patient',
    id: 'own',
    aliases: ['former'],
    birthDate: null,
    collect: true,
  } as const;
  return readPageFacts(file, expected);
}

const readResources = (...resources: readonly object[]): Promise<PageFacts> =>
  readPage(JSON.stringify(toBundle(resources)));

const toBundle = (resources: readonly object[]): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});

const finding = (patient: string): object => ({
  resourceType: 'Condition',
  subject: { reference: `Patient/${patient}` },
});

describe('case 326: a page of a source that holds something of another patient', () => {
  it('is refused where that lies in a Bundle within the page, which the import opens', async () => {
    assert.equal((await readResources(toBundle([finding('own'), finding('former')]))).fault, null);
    assert.equal((await readResources(finding('own'), toBundle([finding('other')]))).fault, 'wrong_patient');
    const stranger = { resourceType: 'Patient', id: 'other' };
    assert.equal((await readResources(toBundle([stranger]))).fault, 'wrong_patient');
  });

  it('is refused where a Bundle within the page says its entries twice', async () => {
    const inner = JSON.stringify({ resource: finding('other') });
    const twice = `{"resourceType":"Bundle","type":"collection","entry":[${inner}],"entry":[]}`;
    const page = `{"resourceType":"Bundle","entry":[{"resource":${twice}}]}`;
    assert.equal((await readPage(page)).fault, 'wrong_patient');
  });

  it('is refused where only those who come to an appointment, are in a group or answer say whose it is', async () => {
    const name = (patient: string): object[] => [
      { resourceType: 'Appointment', participant: [{ actor: { reference: `Patient/${patient}` } }] },
      { resourceType: 'AppointmentResponse', actor: { reference: `Patient/${patient}` } },
      { resourceType: 'Group', member: [{ entity: { reference: `Patient/${patient}` } }] },
      { resourceType: 'Person', link: [{ target: { reference: `Patient/${patient}` } }] },
    ];
    assert.equal((await readResources(...name('own'))).fault, null);
    for (const resource of name('other'))
      assert.equal((await readResources(resource)).fault, 'wrong_patient', JSON.stringify(resource));
    const both = [{ actor: { reference: 'Patient/other' } }, { actor: { reference: 'Patient/own' } }];
    assert.equal((await readResources({ resourceType: 'Appointment', participant: both })).fault, null);
  });
});

describe('case 327: a page of a source that names more than is ever fetched', () => {
  it('passes on as many names as are fetched at most, and no long text', async () => {
    const performer = Array.from({ length: SOURCE_LIMITS.referred + 10 }, (_, index) => ({
      reference: `Organization/${index}`,
    }));
    const page = {
      ...toBundle([{ ...finding('own'), performer }]),
      meta: { lastUpdated: 'x'.repeat(100_000) },
    };
    const facts = await readPage(JSON.stringify(page));
    assert.equal(facts.fault, null);
    assert.equal(facts.referred.length, SOURCE_LIMITS.referred);
    assert.equal(facts.lastUpdated?.length, 100);
  });

  it('is not read where its link is longer than any server takes, or a description has too many values', async () => {
    const text = (link: string): string =>
      JSON.stringify({ ...toBundle([finding('own')]), link: [{ relation: 'next', url: link }] });
    const base = 'https://ehr.example/fhir';
    const fetchFrom = (link: string): Promise<boolean> => {
      const body = Buffer.from(text(link));
      const response = { status: 200, headers: {}, body };
      const client = { base, get: async () => response, post: async () => response };
      const inspector = { inspect: async () => readPage(text(link)), [Symbol.asyncDispose]: async () => {} };
      const expected = { type: 'Patient', id: 'own', aliases: [], birthDate: null, collect: true } as const;
      const deps = { client, inspector, limits: SOURCE_LIMITS, folder, expected };
      return fetchPages(deps, '/Condition', createFetchedPages());
    };
    await assert.rejects(fetchFrom(`${base}/Condition?page=${'x'.repeat(9000)}`), {
      code: 'answer_too_large',
    });
    await assert.rejects(fetchFrom(`${base}/Condition?page=${'x'.repeat(4000)}`), { code: 'endless_paging' });
    const parse = (values: number) =>
      parseJsonBody({ status: 200, headers: {}, body: Buffer.from(`{"rest":[${'{},'.repeat(values)}{}]}`) });
    assert.throws(() => parse(600_000), { code: 'answer_too_large' });
    assert.ok(parse(1000)['rest']);
  });
});
