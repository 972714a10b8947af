import { readSlice } from './bundle-entries.ts';
import type { Member } from '../archive/member.ts';
import { createRejection, type ResourceLocation } from './fhir-resource.ts';
import { createJsonSlicer } from './json-slices.ts';
import { isPrinted } from './ndjson.ts';
import type { MemberItem, Reader } from './reader.ts';

/** The end of an object on one line and the beginning of another on a later one: no single JSON document has that. */
const SEVERAL = /\}[ \t]*[\r\n]\s*\{/;

/** No line ends as those of NDJSON do. */
const CR_ONLY = /^[^\n]*\}[ \t]*\r\s*\{[^\n]*$/;

/**
 * Reads resources that follow each other, each over several lines, as jq prints them, or on lines that end with CR alone. A
 * syntax error between two of them ends what can be read.
 */
export const jsonSequenceReader: Reader = {
  name: 'json-sequence',
  accepts(head) {
    const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
    if (!/^\s*\{\s*["}]/.test(text) || !SEVERAL.test(text)) return false;
    return CR_ONLY.test(text) || isPrinted(text);
  },
  read: (member) => readSequence(member),
};

/** Reads resources that follow each other, without the first `skipped`, which were read. */
export async function* readSequence(member: Member, skipped = 0): AsyncGenerator<MemberItem> {
  const location: ResourceLocation = { path: member.path, position: '', fullUrl: null };
  const slicer = createJsonSlicer({ document: 'each' });
  let index = 0;
  for await (const chunk of await member.open()) {
    for (const slice of slicer.push(chunk as Buffer)) {
      if (index >= skipped) yield* readSlice(slice, { ...location, position: `[${index}]` });
      index++;
    }
    if (slicer.state() === 'broken') break;
  }
  if (slicer.state() !== 'complete') yield createRejection(location, 'not_json');
}
