import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fromBuffer } from 'yauzl';
import { ZipFile } from 'yazl';
import { isLong } from '../harness/long.ts';

/** Published sample records beside the repository; `GUIDE.md` there says what they are. */
export const DATA_FOLDER = resolve(import.meta.dirname, '../../../shared/data');

/** For `describe` and `it`. */
export const skip = existsSync(join(DATA_FOLDER, 'PATIENTS.tsv'))
  ? false
  : `the sample data is not here: there is no ${DATA_FOLDER}/PATIENTS.tsv`;

export interface SamplePatient {
  file: string;
  patientId: string;
  name: string;
  /** What the record holds: a column of PATIENTS.tsv. */
  count(column: string): number;
}

/**
 * Returns the published patients; for `npm test`, the largest, which is cut off, and the two smallest of each folder: every
 * exporter's version and both forms, a third of the resources.
 */
export function selectPatients(): SamplePatient[] {
  const patients = samplePatients();
  if (isLong) return patients;
  const folders = Map.groupBy(patients, ({ file }) => (file.endsWith('.gz') ? dirname(file) : file));
  return [...folders.values()].flatMap((folder) =>
    folder.toSorted((one, other) => one.count('resources') - other.count('resources')).slice(0, 2),
  );
}

export function samplePatients(): SamplePatient[] {
  const [headings = [], ...rows] = readFileSync(join(DATA_FOLDER, 'PATIENTS.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.map((cells) => {
    const row = new Map(headings.map((head, column) => [head, cells[column] ?? '']));
    const text = (column: string): string => {
      const cell = row.get(column);
      if (cell === undefined) throw new Error(`PATIENTS.tsv has no column ${column}`);
      return cell;
    };
    return {
      file: text('file'),
      patientId: text('patientId'),
      name: text('name'),
      count: (column) => Number(text(column)),
    };
  });
}

export interface File {
  path: string;
  bytes: Buffer;
}

/** The patient's own files; of a bulk export their resources and those without an owner, of a hospital its staff too. */
export function readPatientFiles({ file, patientId }: SamplePatient): File[] {
  const path = join(DATA_FOLDER, file);
  if (!path.endsWith('.gz')) return readBulkExport(path, patientId);
  const staff = globSync(join(path, '../*{hospital,practitioner}Information*.gz'));
  return [path, ...staff].map(unpackFile);
}

const unpackFile = (path: string): File => ({
  path: basename(path, '.gz'),
  bytes: gunzipSync(readFileSync(path)),
});

function readBulkExport(folder: string, patientId: string): File[] {
  const isOwned = (line: string): boolean =>
    line.includes(patientId) || !/"Patient\/|"resourceType":\s*"Patient"/.test(line);
  return globSync(join(folder, '*.ndjson.gz')).map((path) => {
    const { path: name, bytes } = unpackFile(path);
    return { path: name, bytes: Buffer.from(bytes.toString().split('\n').filter(isOwned).join('\n')) };
  });
}

export async function createZip(files: readonly File[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, bytes } of files) zip.addBuffer(bytes, path);
  zip.end();
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>));
}

export function readZipFiles(path: string): Promise<File[]> {
  return new Promise((done, reject) => {
    const files: File[] = [];
    fromBuffer(readFileSync(path), { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('end', () => done(files)).on('error', reject);
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          void stream.toArray().then((chunks) => {
            if (!entry.fileName.endsWith('/'))
              files.push({ path: entry.fileName, bytes: Buffer.concat(chunks as Buffer[]) });
            zip.readEntry();
          }, reject);
        });
      });
      zip.readEntry();
    });
  });
}
