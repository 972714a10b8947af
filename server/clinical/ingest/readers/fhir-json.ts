import { isRecordBundle } from '../../../../documents/fhir/resource-limits.ts';
import { createBundleReader, readSlice } from './bundle-entries.ts';
import { createRejection, type ResourceLocation } from './fhir-resource.ts';
import { readSequence } from './json-sequence.ts';
import { createJsonSlicer, type JsonSlicer } from './json-slices.ts';
import type { Member } from '../archive/member.ts';
import type { MemberItem, Reader } from './reader.ts';

/**
 * Reads one resource, a Bundle, or an array of resources. Bundles are cut into entries while they flow. Where the first is too
 * large for the head, only here is seen that others follow it: they are read as a sequence.
 */
export const fhirJsonReader: Reader = {
  name: 'fhir-json',
  accepts(head, path) {
    const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
    // Broken JSON is reported as "not JSON" rather than "unknown kind", but RTF begins with a brace as well: `{\rtf`.
    return (
      /^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text) ||
      (isNamedJson(path) && /^\s*(?:[{[](?!\\)|\/[/*])/.test(text))
    );
  },
  async *read(member, { root, resourceType, type, state }) {
    const location: ResourceLocation = { path: member.path, position: '', fullUrl: null };
    if (root === 'array') yield* readArray(member, location);
    else if (resourceType === 'Bundle') {
      const isDocument = type === 'document';
      if (isRecordBundle(type)) yield* readBundle(member, location, { isDocument });
      else yield* refuseBundle(member, location);
    } else if (resourceType === null && root === 'object' && state !== 'complete') {
      // Broken before its type was read: only a Bundle has entries with resources.
      yield* readBundle(member, location, { isDocument: true, followed: 'not_fhir' });
    } else yield* readSingle(member, location);
  },
};

/** `followed` is why the whole document is refused besides, where others follow it. */
async function* readBundle(
  member: Member,
  location: ResourceLocation,
  { isDocument, followed }: { isDocument: boolean; followed?: 'not_fhir' },
): AsyncGenerator<MemberItem> {
  const reader = createBundleReader(location, { isDocument });
  for await (const chunk of await member.open()) {
    yield* reader.push(chunk as Buffer);
    if (isOver(reader)) break;
  }
  yield* reader.finish();
  if (reader.state() !== 'followed') return;
  if (followed !== undefined) yield createRejection(location, followed);
  yield* readSequence(member, 1);
}

async function* refuseBundle(member: Member, location: ResourceLocation): AsyncGenerator<MemberItem> {
  yield createRejection(location, 'unsupported_bundle_type');
  const slicer = createJsonSlicer({});
  for await (const chunk of await member.open()) {
    slicer.push(chunk as Buffer);
    if (isOver(slicer)) break;
  }
  if (slicer.state() === 'followed') yield* readSequence(member, 1);
}

async function* readArray(member: Member, location: ResourceLocation): AsyncGenerator<MemberItem> {
  const slicer = createJsonSlicer({});
  let isEmpty = true;
  for await (const chunk of await member.open()) {
    for (const element of slicer.push(chunk as Buffer)) {
      isEmpty = false;
      yield* readSlice(element, { ...location, position: `[${element.index}]` }, 1);
    }
    if (isOver(slicer)) break;
  }
  if (slicer.state() !== 'complete') yield createRejection(location, 'not_json');
  else if (isEmpty) yield { rejection: { path: member.path, ...EMPTY_LIST } };
}

async function* readSingle(member: Member, location: ResourceLocation): AsyncGenerator<MemberItem> {
  const slicer = createJsonSlicer({ document: true });
  const slices = [];
  for await (const chunk of await member.open()) {
    slices.push(...slicer.push(chunk as Buffer));
    if (isOver(slicer)) break;
  }
  if (slicer.state() === 'followed') yield* readSequence(member);
  else if (slicer.state() !== 'complete') yield createRejection(location, 'not_json');
  else for (const slice of slices) yield* readSlice(slice, location);
}

const isOver = (slicer: Pick<JsonSlicer, 'state'>): boolean =>
  slicer.state() === 'broken' || slicer.state() === 'followed';

const EMPTY_LIST = { code: 'empty_list', message: 'The list in the file is empty.' };

function isNamedJson(path: string): boolean {
  return /\.json(?:\.gz)?$/i.test(path);
}
