import { ARCHIVE_LIMITS } from '../../limits.ts';
import { XmlRefused, xmlTags, type XmlTag } from './xml-tags.ts';

/** A resource's place in the text of a document, and of a Bundle those of its entries. */
export interface ResourceSlice {
  /** Without its prefix. */
  name: string;
  from: number;
  to: number;
  /** As they are written in the tags around: `xmlns="http://hl7.org/fhir"`. */
  declarations: string[];
  /** Null for all but Bundles that are opened. */
  bundle: BundleSlice | null;
}

export interface BundleSlice {
  /** `<type value="…"/>`, as written; null where there is none. */
  type: string | null;
  entries: EntrySlice[];
}

export interface EntrySlice {
  fullUrl: string | null;
  /** FHIR has one at most. */
  resources: ResourceSlice[];
  /** It has a request or a response. */
  asks: boolean;
  /** False for the one in which the document breaks off. */
  whole: boolean;
}

/** What was read of a document until it ended, or until `failure`: the last entry may then lack its resource. */
export interface Structure {
  root: ResourceSlice | null;
  failure: XmlRefused['code'] | 'too_deep' | null;
}

class TooDeep extends Error {}

/** Finds a document's resources without a tree of it: 25 MB of FHIR XML take 650 MB as a tree, one entry takes 20 kB. */
export function resourceSlices(text: string): Structure {
  const structure: Structure = { root: null, failure: null };
  try {
    const reading: Reading = { text, tags: xmlTags(text), open: [] };
    const first = reading.tags.next().value as XmlTag | undefined;
    if (first === undefined || first.kind === 'end') throw new XmlRefused('not_xml');
    enter(reading, first);
    readResource(reading, first, { around: [], bundles: 0, keep: (slice) => (structure.root = slice) });
    if (reading.tags.next().done !== true) throw new XmlRefused('not_xml');
  } catch (error) {
    if (error instanceof XmlRefused) structure.failure = error.code;
    else if (error instanceof TooDeep) structure.failure = 'too_deep';
    else throw error;
  }
  return structure;
}

interface Reading {
  text: string;
  tags: Generator<XmlTag, void>;
  /** The names of the elements that are not closed yet. */
  open: string[];
}

/** Where a resource stands: the declarations around it, the Bundles around it, and who is to have it when it is read. */
interface Place {
  around: readonly string[];
  bundles: number;
  keep: (slice: ResourceSlice) => unknown;
}

function readResource(reading: Reading, tag: XmlTag, { around, bundles, keep }: Place): void {
  const declarations = [...around, ...declarationsIn(reading, tag)];
  const slice: ResourceSlice = {
    name: localName(tag),
    from: tag.from,
    to: tag.to,
    declarations,
    bundle: null,
  };
  if (slice.name === 'Bundle' && bundles <= ARCHIVE_LIMITS.nesting) {
    slice.bundle = { type: null, entries: [] };
    // Kept before it is whole: what is cut off later keeps its first entries.
    keep(slice);
    readBundle(reading, tag, { slice, bundle: slice.bundle, bundles });
    return;
  }
  slice.to = endOf(reading, tag);
  keep(slice);
}

interface OpenBundle {
  slice: ResourceSlice;
  bundle: BundleSlice;
  bundles: number;
}

function readBundle(reading: Reading, tag: XmlTag, { slice, bundle, bundles }: OpenBundle): void {
  for (const child of children(reading, tag)) {
    if (localName(child) === 'entry') {
      const entry: EntrySlice = { fullUrl: null, resources: [], asks: false, whole: false };
      bundle.entries.push(entry);
      readEntry(reading, child, { entry, around: slice.declarations, bundles });
    } else {
      const to = endOf(reading, child);
      if (localName(child) === 'type') bundle.type = reading.text.slice(child.from, to);
      slice.to = to;
    }
  }
}

interface OpenEntry {
  entry: EntrySlice;
  around: readonly string[];
  bundles: number;
}

function readEntry(reading: Reading, tag: XmlTag, { entry, around, bundles }: OpenEntry): void {
  const declared = [...around, ...declarationsIn(reading, tag)];
  for (const child of children(reading, tag)) {
    const name = localName(child);
    if (name === 'resource') {
      const within = [...declared, ...declarationsIn(reading, child)];
      for (const held of children(reading, child)) {
        readResource(reading, held, {
          around: within,
          bundles: bundles + 1,
          keep: (slice) => entry.resources.push(slice),
        });
      }
    } else {
      const to = endOf(reading, child);
      if (name === 'fullUrl') entry.fullUrl = reading.text.slice(child.from, to);
      if (name === 'request' || name === 'response') entry.asks = true;
    }
  }
  entry.whole = true;
}

/** The tags with which the children of an element begin; each must be read to its end before the next is asked for. */
function* children(reading: Reading, parent: XmlTag): Generator<XmlTag> {
  if (parent.kind === 'empty') return;
  for (;;) {
    const tag = nextTag(reading);
    if (tag.kind === 'end') {
      leave(reading, tag);
      return;
    }
    enter(reading, tag);
    yield tag;
  }
}

/** Reads an element to its end, and answers where that is. */
function endOf(reading: Reading, start: XmlTag): number {
  if (start.kind === 'empty') return start.to;
  const depth = reading.open.length;
  for (;;) {
    const tag = nextTag(reading);
    if (tag.kind !== 'end') enter(reading, tag);
    else {
      leave(reading, tag);
      if (reading.open.length < depth) return tag.to;
    }
  }
}

function nextTag({ tags }: Reading): XmlTag {
  const { value } = tags.next();
  if (!value) throw new XmlRefused('not_xml');
  return value;
}

function enter({ open }: Reading, { kind, name }: XmlTag): void {
  if (kind === 'empty') return;
  if (open.push(name) > ARCHIVE_LIMITS.depth) throw new TooDeep();
}

function leave({ open }: Reading, { name }: XmlTag): void {
  if (open.pop() !== name) throw new XmlRefused('not_xml');
}

const localName = ({ name }: XmlTag): string => name.slice(name.indexOf(':') + 1);

const DECLARATION = /\sxmlns(?::[^\s=]{1,100})?\s*=\s*(?:"[^"<]*"|'[^'<]*')/g;

/** A tag of a resource has few attributes; one that is very long holds no declaration that matters. */
const LONGEST_TAG = 16 * 1024;

function declarationsIn({ text }: Reading, { from, to }: XmlTag): string[] {
  return [...text.slice(from, Math.min(to, from + LONGEST_TAG)).matchAll(DECLARATION)].map(([declaration]) =>
    declaration.trim(),
  );
}
