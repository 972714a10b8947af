import { crc32, deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';

/** An ordinary archive; a value that is no text and no bytes is written as JSON. */
export async function createArchive(contents: Record<string, unknown>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(contents)) {
    const bytes = Buffer.isBuffer(content)
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    zip.addBuffer(bytes, name);
  }
  zip.end();
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>));
}

/** Entries with a fullUrl are `[fullUrl, resource]`. */
export const createBundle = (...entries: (object | [fullUrl: string, resource: object])[]): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: entries.map((entry) =>
    Array.isArray(entry) ? { fullUrl: entry[0], resource: entry[1] } : { resource: entry },
  ),
});

interface ForgedMember {
  name: string;
  content: Buffer;
  /** What the headers say instead of the truth. */
  size?: number;
  /** General purpose flags; 0x801 says that it is encrypted. */
  flags?: number;
  /** Of the packed bytes, one that is flipped. */
  flip?: number;
}

/** An archive whose headers may lie and whose bytes may be damaged. */
export function craftArchive(...members: readonly ForgedMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size = content.length, flags = 0x800, flip } of members) {
    const packed = deflateRawSync(content);
    if (flip !== undefined) packed[flip] = (packed[flip] ?? 0) ^ 0xff;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
