import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { scanMember } from '../../../../test/harness/scan-member.ts';
import { readArchiveMembers } from '../archive/archive.ts';
import type { Member } from '../archive/member.ts';
import type { ResourceAt } from '../import/read-facts.ts';
import { readMember } from '../readers/read-member.ts';
import { createPersonCollector } from './collect-persons.ts';
import { findOthersAndOwners } from './compare-persons.ts';

const DATA = join(import.meta.dirname, '../../../../../shared/data');
const skip = existsSync(DATA) ? false : 'there is no ../shared/data beside the repository';

async function* readMembers(members: AsyncIterable<Member>): AsyncGenerator<ResourceAt> {
  for await (const member of members)
    for await (const item of readMember(member, await scanMember(member)))
      if ('found' in item) yield { path: member.path, found: item.found };
}

/** Lists whom the resources name as their owners besides the Patients, by name or reference. */
async function listStrangers(members: AsyncIterable<Member>): Promise<string[]> {
  const collector = createPersonCollector(async () => new Map());
  for await (const _ of collector.observe(readMembers(members)));
  const { persons, owners } = collector;
  const [account, ...record] = persons;
  if (account === undefined) return [];
  return findOthersAndOwners([], owners.listOwners(), { account, record }).map(
    ({ names }) => names[0]?.text ?? '',
  );
}

async function* openArchive(file: string): AsyncGenerator<Member> {
  for await (const item of readArchiveMembers(file)) if ('member' in item) yield item.member;
}

async function* openFiles(...patterns: string[]): AsyncGenerator<Member> {
  for await (const path of glob(patterns)) yield { path, open: async () => createReadStream(path) };
}

describe('the owners of published records', { skip }, () => {
  it('are Patients of the same archive', async () => {
    for await (const file of glob(`${DATA}/{archives,uscore}/*.zip`))
      assert.deepEqual(await listStrangers(openArchive(file)), [], basename(file));
  });

  it('are Patients of the same file, or of a file beside it', async () => {
    for await (const file of glob(`${DATA}/synthea/v*/*.gz`))
      assert.deepEqual(await listStrangers(openFiles(file)), [], basename(file));
    for (const folder of ['synthea/bulk-ndjson-v3-2024', 'uscore/g10-bulk'])
      assert.deepEqual(await listStrangers(openFiles(`${DATA}/${folder}/*.gz`)), [], folder);
  });

  it('are named otherwise in a collection of examples of many people', async () => {
    const strangers = await listStrangers(openArchive(`${DATA}/spec-examples/hl7-fhir-r4-clinical-a.zip`));
    assert.ok(strangers.includes('Tahlia Smith') && strangers.includes('Patient/1'), strangers.join());
  });
});
