import fs from 'node:fs';

const MIGRATIONS = new URL('../server/platform/db/migrations/', import.meta.url);

/** Renders docs/storage.md: every table, as the migrations define it, with their reasons. */
export function renderStoragePage(): string {
  const files = fs
    .readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const parts = files.map((name) => {
    const title = name.replace(/^\d+-|\.sql$/g, '');
    return `## ${title}\n\n\`\`\`sql\n${fs.readFileSync(new URL(name, MIGRATIONS), 'utf8').trim()}\n\`\`\``;
  });
  return [
    '# Storage',
    'Written by `npm run docs` from `server/platform/db/migrations`; applied files never change, new ones are added.',
    'Tables of the patient family carry `patient_id` first in every key, so that they can be distributed by patient; lookups lead to it. Ids are made by the application; there are no sequences, triggers or foreign keys between families. `test/storage/patient-keys.test.ts` holds every query to it on a hash-partitioned stand-in.',
    ...parts,
    '',
  ].join('\n\n');
}
