import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  DATA_FOLDER,
  readPatientFiles,
  readZipFiles,
  samplePatients,
  type File,
  type SamplePatient,
} from './sample-data.ts';

/** What one person uploads: a published patient, or an archive of published files. */
export interface DevelopmentRecord {
  name: string;
  readFiles(): Promise<File[]>;
  /** Where it is published as an archive. */
  archive?: string;
}

/** Every record of the sample data: each patient of PATIENTS.tsv, each archive and each probe by itself. */
export function listDevelopmentRecords(): DevelopmentRecord[] {
  const zips = globSync('{archives,uscore,spec-examples,ccda,docs,edge}/*.zip', { cwd: DATA_FOLDER }).sort();
  const probes = globSync('probes/*.json', { cwd: DATA_FOLDER }).sort();
  return [
    ...samplePatients().map(toDevelopmentRecord),
    ...zips.map((path) => ({
      name: path.replace(/\.zip$/, ''),
      archive: join(DATA_FOLDER, path),
      readFiles: () => readZipFiles(join(DATA_FOLDER, path)),
    })),
    ...probes.map((path) => ({
      name: path,
      readFiles: () =>
        Promise.resolve([{ path: basename(path), bytes: readFileSync(join(DATA_FOLDER, path)) }]),
    })),
  ];
}

export function toDevelopmentRecord(sample: SamplePatient): DevelopmentRecord {
  const folder = sample.file.split('/').slice(0, 2).join('/');
  return {
    name: `${folder.replace(/\/[^/]*\.gz$/, '')}: ${sample.name}`,
    readFiles: () => Promise.resolve(readPatientFiles(sample)),
  };
}
