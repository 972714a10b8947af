import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { findFreePort } from './postgres.ts';

export interface TestObjectStore {
  url: string;
  /** What a service is configured by to use it. */
  environment: Record<string, string>;
  /** The keys of all objects. */
  listKeys(): string[];
  readObject(key: string): Buffer;
  writeObject(key: string, bytes: Buffer): void;
  /** Ends the server and keeps what it has; connections are refused then. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

const BUCKET = 'records';
const SUFFIX = '._S3rver_object';

/** The one account of that server. */
const ACCOUNT = 'S3RVER';

/** Starts a store that speaks S3 and checks signatures (Signature Version 4) by a canonical form of its own; objects are files. */
export async function startObjectStore(): Promise<TestObjectStore> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-objects-'));
  const start = async (port: number): Promise<{ server: S3rver; port: number }> => {
    const options = { address: '127.0.0.1', port, silent: true, directory };
    const server = new S3rver({ ...options, configureBuckets: [{ name: BUCKET }] });
    return { server, port: (await server.run()).port };
  };
  // Not one of the system's own choice: while the store is away, another process might be given it.
  let { server, port } = await start(await findFreePort());
  const folder = path.join(directory, BUCKET);
  const url = `http://127.0.0.1:${port}/${BUCKET}`;
  const getFile = (key: string): string => path.join(folder, `${key}${SUFFIX}`);
  return {
    url,
    environment: {
      CHARTGATE_OBJECT_STORE_URL: url,
      CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID: ACCOUNT,
      CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY: ACCOUNT,
    },
    listKeys: () =>
      fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length))
        .sort(),
    readObject: (key) => fs.readFileSync(getFile(key)),
    writeObject: (key, bytes) => fs.writeFileSync(getFile(key), bytes),
    goAway: () => server.close(),
    async comeBack() {
      ({ server, port } = await start(port));
    },
    async stop() {
      await server.close().catch(() => {});
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}
