import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DATA_FOLDER, readPatientFiles, readZipFiles, samplePatients, type File } from './sample-data.ts';

/** What one person uploads: a published patient, or an archive of published files. */
export interface DevelopmentRecord {
  name: string;
  readFiles(): Promise<File[]>;
}

/** Every record of the sample data: each patient of PATIENTS.tsv, each archive and each probe by itself. */
export function listDevelopmentRecords(): DevelopmentRecord[] {
  const zips = globSync('{archives,uscore,spec-examples,ccda,docs,edge}/*.zip', { cwd: DATA_FOLDER }).sort();
  const probes = globSync('probes/*.json', { cwd: DATA_FOLDER }).sort();
  return [
    ...samplePatients().map((sample) => ({
      name: `${sample.file
        .split('/')
        .slice(0, 2)
        .join('/')
        .replace(/\/[^/]*\.gz$/, '')}: ${sample.name}`,
      readFiles: () => Promise.resolve(readPatientFiles(sample)),
    })),
    ...zips.map((path) => ({
      name: path.replace(/\.zip$/, ''),
      readFiles: () => readZipFiles(join(DATA_FOLDER, path)),
    })),
    ...probes.map((path) => ({
      name: path,
      readFiles: () =>
        Promise.resolve([{ path: basename(path), bytes: readFileSync(join(DATA_FOLDER, path)) }]),
    })),
  ];
}
