// As install.mjs, and builds the program that `npm start` runs where its sources are newer. Runs on any Node 20 or newer.
import { readdirSync } from 'node:fs';
import { ageOf, at, build, isRelease } from './build.mjs';

await import('./install.mjs');

const SOURCES = ['cli', 'contract', 'documents', 'server', 'tools/synthetic-record'];
const OTHERS = ['package-lock.json', 'tools/build-program.ts'];

const listSources = (folder) =>
  readdirSync(at(folder), { recursive: true })
    .filter((path) => /\.(?:ts|json)$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path}`);

if (!isRelease) {
  const newest = Math.max(...[...OTHERS, ...SOURCES.flatMap(listSources)].map(ageOf));
  const entry = 'chartgate.js';
  if (ageOf(`dist/${entry}`) < newest)
    await build({ name: 'dist', folder: 'dist', entry, command: ['tools/build-program.ts'] });
}
