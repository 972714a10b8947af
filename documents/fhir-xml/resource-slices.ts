import { RESOURCE_LIMITS } from '../fhir/resource-limits.ts';
import { XmlError, readXmlTags, type XmlTag } from './xml-tags.ts';

/** The range of a resource in the text of a document, with the ranges of a Bundle's entries. */
export interface ResourceSlice {
  /** Without its prefix. */
  name: string;
  from: number;
  to: number;
  /** As written in the enclosing tags: `xmlns="http://hl7.org/fhir"`. */
  declarations: string[];
  /** Null except for Bundles that are opened. */
  bundle: BundleSlice | null;
}

export interface BundleSlice {
  /** `<type value="…"/>`, as written; null where there is none. */
  type: string | null;
  /** `<meta>…</meta>`, as written; null where there is none. */
  meta: string | null;
  entries: EntrySlice[];
}

export interface EntrySlice {
  fullUrl: string | null;
  /** `<search>…</search>`, as written; null where there is none. */
  search: string | null;
  /** The same of `<request>`. */
  request: string | null;
  /** At most one in valid FHIR. */
  resources: ResourceSlice[];
  /** Whether it has a request or a response. */
  hasRequest: boolean;
  /** False for the entry in which the document breaks off. */
  isComplete: boolean;
}

/** The structure of a document up to its end, or up to `failure`: the last entry may then lack its resource. */
export interface Structure {
  root: ResourceSlice | null;
  failure: XmlError['code'] | 'too_deep' | null;
}

class DepthError extends Error {}

/** Finds a document's resources without building a tree: 25 MB of FHIR XML take 650 MB as a tree, one entry takes 20 kB. */
export function sliceResources(text: string): Structure {
  const structure: Structure = { root: null, failure: null };
  try {
    const context: SliceContext = { text, tags: readXmlTags(text), openElements: [] };
    const first = context.tags.next().value as XmlTag | undefined;
    if (first === undefined || first.kind === 'end') throw new XmlError('not_xml');
    openElement(context, first);
    readResource(context, first, {
      outerDeclarations: [],
      bundleDepth: 0,
      onSlice: (slice) => (structure.root = slice),
    });
    if (context.tags.next().done !== true) throw new XmlError('not_xml');
  } catch (error) {
    if (error instanceof XmlError) structure.failure = error.code;
    else if (error instanceof DepthError) structure.failure = 'too_deep';
    else throw error;
  }
  return structure;
}

interface SliceContext {
  text: string;
  tags: Generator<XmlTag, void>;
  /** The names of the open elements. */
  openElements: string[];
}

/** The declarations and the number of Bundles around a resource, and what is called when it was read. */
interface ResourceContext {
  outerDeclarations: readonly string[];
  bundleDepth: number;
  onSlice: (slice: ResourceSlice) => unknown;
}

function readResource(
  context: SliceContext,
  tag: XmlTag,
  { outerDeclarations, bundleDepth, onSlice }: ResourceContext,
): void {
  const declarations = [...outerDeclarations, ...parseDeclarations(context, tag)];
  const slice: ResourceSlice = {
    name: getLocalName(tag),
    from: tag.from,
    to: tag.to,
    declarations,
    bundle: null,
  };
  if (slice.name === 'Bundle' && bundleDepth <= RESOURCE_LIMITS.bundleNesting) {
    slice.bundle = { type: null, meta: null, entries: [] };
    // Passed on before it is complete: a Bundle that is cut off keeps its first entries.
    onSlice(slice);
    readBundle(context, tag, { slice, bundle: slice.bundle, bundleDepth });
    return;
  }
  slice.to = readToEnd(context, tag);
  onSlice(slice);
}

interface OpenBundle {
  slice: ResourceSlice;
  bundle: BundleSlice;
  bundleDepth: number;
}

function readBundle(context: SliceContext, tag: XmlTag, { slice, bundle, bundleDepth }: OpenBundle): void {
  for (const child of readChildren(context, tag)) {
    if (getLocalName(child) === 'entry') {
      const bundleEntry: EntrySlice = {
        fullUrl: null,
        search: null,
        request: null,
        resources: [],
        hasRequest: false,
        isComplete: false,
      };
      bundle.entries.push(bundleEntry);
      readEntry(context, child, { bundleEntry, outerDeclarations: slice.declarations, bundleDepth });
    } else {
      const to = readToEnd(context, child);
      if (getLocalName(child) === 'type') bundle.type = context.text.slice(child.from, to);
      if (getLocalName(child) === 'meta') bundle.meta = context.text.slice(child.from, to);
      slice.to = to;
    }
  }
}

interface OpenEntry {
  bundleEntry: EntrySlice;
  outerDeclarations: readonly string[];
  bundleDepth: number;
}

function readEntry(
  context: SliceContext,
  tag: XmlTag,
  { bundleEntry, outerDeclarations, bundleDepth }: OpenEntry,
): void {
  const entryDeclarations = [...outerDeclarations, ...parseDeclarations(context, tag)];
  for (const child of readChildren(context, tag)) {
    const name = getLocalName(child);
    if (name === 'resource') {
      const resourceDeclarations = [...entryDeclarations, ...parseDeclarations(context, child)];
      for (const resourceTag of readChildren(context, child)) {
        readResource(context, resourceTag, {
          outerDeclarations: resourceDeclarations,
          bundleDepth: bundleDepth + 1,
          onSlice: (slice) => bundleEntry.resources.push(slice),
        });
      }
    } else {
      const to = readToEnd(context, child);
      if (name === 'fullUrl') bundleEntry.fullUrl = context.text.slice(child.from, to);
      if (name === 'search') bundleEntry.search = context.text.slice(child.from, to);
      if (name === 'request') bundleEntry.request = context.text.slice(child.from, to);
      if (name === 'request' || name === 'response') bundleEntry.hasRequest = true;
    }
  }
  bundleEntry.isComplete = true;
}

/** Yields the start tags of an element's children; each child must be read to its end before the next is requested. */
function* readChildren(context: SliceContext, parent: XmlTag): Generator<XmlTag> {
  if (parent.kind === 'empty') return;
  for (;;) {
    const tag = readTag(context);
    if (tag.kind === 'end') {
      closeElement(context, tag);
      return;
    }
    openElement(context, tag);
    yield tag;
  }
}

/** Reads an element to its end, and returns the position of that. */
function readToEnd(context: SliceContext, start: XmlTag): number {
  if (start.kind === 'empty') return start.to;
  const depth = context.openElements.length;
  for (;;) {
    const tag = readTag(context);
    if (tag.kind !== 'end') openElement(context, tag);
    else {
      closeElement(context, tag);
      if (context.openElements.length < depth) return tag.to;
    }
  }
}

function readTag({ tags }: SliceContext): XmlTag {
  const { value } = tags.next();
  if (!value) throw new XmlError('not_xml');
  return value;
}

function openElement({ openElements }: SliceContext, { kind, name }: XmlTag): void {
  if (kind === 'empty') return;
  if (openElements.push(name) > RESOURCE_LIMITS.depth) throw new DepthError();
}

function closeElement({ openElements }: SliceContext, { name }: XmlTag): void {
  if (openElements.pop() !== name) throw new XmlError('not_xml');
}

const getLocalName = ({ name }: XmlTag): string => name.slice(name.indexOf(':') + 1);

const DECLARATION = /\sxmlns(?::[^\s=]{1,100})?\s*=\s*(?:"[^"<]*"|'[^'<]*')/g;

/** A tag of a resource has few attributes; what follows in a longer one is not searched for declarations. */
const MAX_TAG_LENGTH = 16 * 1024;

function parseDeclarations({ text }: SliceContext, { from, to }: XmlTag): string[] {
  return [...text.slice(from, Math.min(to, from + MAX_TAG_LENGTH)).matchAll(DECLARATION)].map(
    ([declaration]) => declaration.trim(),
  );
}
