import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { Readable } from 'node:stream';
import { openPromise, type Entry } from 'yauzl';
import type { EvidenceFiles } from '../server/consent/evidence/verify-evidence.ts';
import { Refusal } from '../server/platform/kernel/refusal.ts';

export interface OpenedEvidence extends EvidenceFiles {
  close(): void;
}

/** Opens an archive of evidence, or the folder that it was unpacked into; null for any other file. */
export async function openEvidence(target: string): Promise<OpenedEvidence | null> {
  if ((await fs.promises.stat(target)).isDirectory()) return openFolder(target);
  return (await isZip(target)) ? openZip(target) : null;
}

const ZIP_SIGNATURE = 'PK\x03\x04';

async function isZip(file: string): Promise<boolean> {
  const handle = await fs.promises.open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(ZIP_SIGNATURE.length) });
    return buffer.toString('latin1', 0, bytesRead) === ZIP_SIGNATURE;
  } finally {
    await handle.close();
  }
}

/** The files of a folder, but for those that are hidden, which desktops put everywhere. */
async function openFolder(folder: string): Promise<OpenedEvidence> {
  const found = await fs.promises.readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((file) => !file.isDirectory() && !file.name.startsWith('.'))
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((name) => name.split(path.sep).join('/'));
  return withReaders(paths, async (name) => fs.createReadStream(path.join(folder, name)));
}

async function openZip(file: string): Promise<OpenedEvidence> {
  const zip = await openPromise(file, { autoClose: false });
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.push(entry);
  const paths = entries.map(({ fileName }) => fileName);
  const files = withReaders(paths, async (name) =>
    zip.openReadStreamPromise(entries.find(({ fileName }) => fileName === name) as Entry),
  );
  return { ...files, close: () => zip.close() };
}

/** Manifest and receipt are some kilobytes. */
const MAX_TEXT_BYTES = 1024 * 1024;

function withReaders(paths: string[], open: (name: string) => Promise<Readable>): OpenedEvidence {
  const read = async function* (name: string): AsyncGenerator<Buffer> {
    for await (const part of await open(name)) yield part as Buffer;
  };
  return {
    paths,
    read,
    async readText(name) {
      if (!paths.includes(name)) throw new Refusal(400, 'changed', { detail: `${name} is missing.` });
      let text = Buffer.alloc(0);
      for await (const part of read(name)) {
        text = Buffer.concat([text, part]);
        if (text.length > MAX_TEXT_BYTES)
          throw new Refusal(400, 'too_large', { detail: `${name} is too large.` });
      }
      return text.toString();
    },
    readLines: (name) => readline.createInterface({ input: Readable.from(read(name)) }),
    close() {},
  };
}
