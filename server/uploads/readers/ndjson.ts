import { resourcesIn } from '../bundle-entries.ts';
import { rejected, type Spot } from '../fhir-resource.ts';
import { jsonSlicer } from '../json-slices.ts';
import { ARCHIVE_LIMITS } from '../limits.ts';
import type { Finding, Member, Reader } from '../reading.ts';

/** One resource a line, as FHIR bulk export writes it. A bad line costs only itself. */
export const ndjsonReader: Reader = {
  name: 'ndjson',
  accepts(head, path) {
    const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
    const named = /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path);
    if (!named && !/^\s*\{\s*["}]/.test(text)) return false;
    // A line that ends an object, then one that begins another: no single JSON document has that anywhere.
    if (/\}[ \t\r]*\n\s*\{/.test(text)) return true;
    // One line, or one too long for the head: only the name can tell. Pretty-printed JSON goes on after line 1.
    return (
      named &&
      /^\s*\{/.test(text) &&
      !/^\s*\{[^\n]*[,{[][ \t\r]*\n/.test(text) &&
      !/^\s*\{[ \t\r]*\n/.test(text)
    );
  },
  async *read(member) {
    for await (const { number, bytes } of lines(member)) {
      const spot: Spot = { path: member.path, position: `line ${number}`, fullUrl: null };
      if (bytes === null) yield rejected(spot, 'resource_too_large');
      else yield* readLine(spot, bytes);
    }
  },
};

function* readLine(spot: Spot, line: Buffer): Generator<Finding> {
  if (BLANK_LINE.test(line.toString('latin1', 0, 64)) && line.toString('latin1').trim() === '') return;
  const slicer = jsonSlicer({ whole: true });
  const slices = slicer.push(line);
  if (slicer.state() !== 'complete') yield rejected(spot, 'not_json');
  else for (const slice of slices) yield* resourcesIn(slice, spot);
}

const BLANK_LINE = /^\s*$/;

/** Lines with their number, from 1; `bytes` is null where a line is longer than a resource may be. */
async function* lines(member: Member): AsyncGenerator<{ number: number; bytes: Buffer | null }> {
  let number = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer): void => {
    size += part.length;
    if (size > ARCHIVE_LIMITS.resourceBytes) parts = [];
    else parts.push(part);
  };
  const take = (): { number: number; bytes: Buffer | null } => {
    const bytes = size > ARCHIVE_LIMITS.resourceBytes ? null : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { number: number++, bytes };
  };
  for await (const chunk of (await member.open()) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      keep(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  yield take();
}
