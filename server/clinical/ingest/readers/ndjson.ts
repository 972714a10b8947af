import { readSlice } from './bundle-entries.ts';
import { createRejection, tryParseJson, type ResourceLocation } from './fhir-resource.ts';
import { createJsonSlicer } from './json-slices.ts';
import { RESOURCE_LIMITS } from '../../../../documents/fhir/resource-limits.ts';
import type { Member } from '../archive/member.ts';
import type { MemberItem, Reader } from './reader.ts';

/** Reads one resource per line, as FHIR bulk export writes them. A bad line costs only itself. */
export const ndjsonReader: Reader = {
  name: 'ndjson',
  accepts(head, path) {
    const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
    const isNamed = /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path);
    if (!isNamed && !/^\s*\{\s*["}]/.test(text)) return false;
    // A line that ends an object, then one that begins another: no single JSON document has that.
    if (/\}[ \t\r]*\n\s*\{/.test(text)) return true;
    // One line, or one too long for the head: only the name decides. Pretty-printed JSON continues after line 1.
    return isNamed && /^\s*\{/.test(text) && !isPrinted(text);
  },
  async *read(member) {
    for await (const { number, bytes } of readLines(member)) {
      const location: ResourceLocation = { path: member.path, position: `line ${number}`, fullUrl: null };
      if (bytes === null) yield createRejection(location, 'resource_too_large');
      else yield* readLine(location, bytes);
    }
  },
};

/** Whether a text begins with an object that goes on in the next line, as printed ones do. */
export const isPrinted = (text: string): boolean =>
  /^\s*\{(?:[^\n]*[,{[])?[ \t\r]*\n/.test(text) && !isListWithBrokenStart(text);

/**
 * Whether lines that are whole objects follow a first one that was cut off: it looks like the first line of an object that goes
 * on in the next, as printed ones do. The first object of a printed file is whole, or no line of it is.
 */
function isListWithBrokenStart(text: string): boolean {
  const [first] = createJsonSlicer({ document: 'each' }).push(Buffer.from(text, 'latin1'));
  if (first !== undefined && 'bytes' in first && isWholeObject(first.bytes.toString('latin1'))) return false;
  const lines = text.split('\n').filter((line) => !BLANK_LINE.test(line));
  return lines.some(
    (line, index) => index > 0 && /^\s*\{/.test(lines[index + 1] ?? '{') && isWholeObject(line),
  );
}

const isWholeObject = (text: string): boolean =>
  /^\s*\{/.test(text) && /\}\s*$/.test(text) && tryParseJson(text) !== undefined;

function* readLine(location: ResourceLocation, line: Buffer): Generator<MemberItem> {
  if (BLANK_LINE.test(line.toString('latin1', 0, 64)) && line.toString('latin1').trim() === '') return;
  const slicer = createJsonSlicer({ document: true });
  const slices = slicer.push(line);
  if (slicer.state() !== 'complete') yield createRejection(location, 'not_json');
  else for (const slice of slices) yield* readSlice(slice, location);
}

const BLANK_LINE = /^\s*$/;

/** Yields lines with their number, from 1; `bytes` is null where a line is longer than a resource may be. */
async function* readLines(member: Member): AsyncGenerator<{ number: number; bytes: Buffer | null }> {
  let number = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const appendPart = (part: Buffer): void => {
    size += part.length;
    if (size > RESOURCE_LIMITS.bytes) parts = [];
    else parts.push(part);
  };
  const finishLine = (): { number: number; bytes: Buffer | null } => {
    const bytes = size > RESOURCE_LIMITS.bytes ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { number: number++, bytes };
  };
  for await (const chunk of (await member.open()) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      appendPart(chunk.subarray(from, end));
      yield finishLine();
      from = end + 1;
    }
    appendPart(chunk.subarray(from));
  }
  yield finishLine();
}
