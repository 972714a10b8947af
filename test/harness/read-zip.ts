import { fromBufferPromise, type Entry } from 'yauzl';

/** The members of an archive, by name. */
export async function readZip(bytes: ArrayBuffer | Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes));
  const members = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    const stream = await zip.openReadStreamPromise(entry);
    members.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)));
  }
  return members;
}
