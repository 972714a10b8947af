import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { lowerScheme, MAX_NAME_LENGTH, parseAbsolute } from './identity.ts';

/**
 * `"reference": "…"` in JSON text, and the `"url": "…"` of an Attachment whose content is a Binary of its own. Quotes inside
 * strings are escaped, so in well-formed JSON this matches keys only; the bytes around the value stay as they came.
 */
const REFERENCE =
  /("reference"\s*:\s*|"url"\s*:\s*(?="urn:uuid:|"[^"]{0,500}\bBinary(?:\\?\/|\?)))("(?:[^"\\]|\\.)*")/g;

/** A reference as a resource's text has it, and where its string stands, with the quotes. */
export interface WrittenReference {
  reference: string;
  start: number;
  end: number;
}

/**
 * Locates the references in a resource's text, without those into the resource itself (`#…`), with a NUL or too long:
 * nothing has that name.
 */
export function locateReferences(text: string): WrittenReference[] {
  const found: WrittenReference[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [{ length }, key = '', literal = ''] = match;
    const reference = unquote(literal);
    if (reference === '' || reference.length > MAX_NAME_LENGTH) continue;
    if (reference.startsWith('#') || reference.includes('\0')) continue;
    found.push({ reference, start: match.index + key.length, end: match.index + length });
  }
  return found;
}

/** Returns what the references in a resource's text say, each once. */
export const collectReferences = (text: string): Set<string> => listDistinct(locateReferences(text));

export const listDistinct = (references: readonly WrittenReference[]): Set<string> =>
  new Set(references.map(({ reference }) => reference));

/** Replaces the references that are in `resolved`; everything else stays byte for byte. */
export function rewriteReferences(
  text: string,
  resolved: ReadonlyMap<string, string>,
  references: readonly WrittenReference[] = locateReferences(text),
): string {
  let rewritten = '';
  let copied = 0;
  for (const { reference, start, end } of references) {
    const target = resolved.get(reference);
    if (target === undefined) continue;
    rewritten += text.slice(copied, start) + JSON.stringify(target);
    copied = end;
  }
  return copied === 0 ? text : rewritten + text.slice(copied);
}

const unquote = (literal: string): string =>
  literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);

/** The target of a reference, in the forms that FHIR permits. */
export type ParsedReference =
  | { form: 'name'; name: string }
  | { form: 'id'; type: string; id: string; origin: string | null }
  | { form: 'identifier'; name: string };

const RELATIVE = /^([A-Z][A-Za-z]+)\/([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;
const URN = /^\s*urn:/i;
const ADDRESS = /^[^?#]*/;
const BY_ID = /(?:^|\/)[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/**
 * Writes a reference as most do: `Type/id`, the address of a server before that, or a search, without what may stand around
 * them and names nothing else: white space, slashes, a fragment, a version or a query behind the id, letters in percent-encoding.
 */
export function normalizeReference(reference: string): string {
  if (RELATIVE.test(reference) || reference.startsWith('#') || URN.test(reference)) return reference;
  const [written] = reference.trim().split('#', 1) as [string];
  const [encoded = ''] = ADDRESS.exec(written) ?? [];
  const address = lowerScheme(
    decode(encoded)
      .trim()
      .replace(/^\/+|(?<!\/)\/+$/g, ''),
  );
  const [unversioned] = address.split('|', 1) as [string];
  return BY_ID.test(unversioned) ? unversioned : address + written.slice(encoded.length);
}

const NAMED_TYPE = /(?<![^/])([A-Z][A-Za-z]{1,63})\//g;

/**
 * Whether a reference, written as most do, is one by an id and nothing else, be it at another server: with a path before the type,
 * or another `Type/id`, it leads nowhere, and may mean either.
 */
export function isAddress(normal: string): boolean {
  if (RELATIVE.test(normal)) return true;
  const base = parseAbsolute(normal)?.base;
  return base?.matchAll(NAMED_TYPE).every(([, type = '']) => !FHIR_RESOURCE_TYPES.has(type)) ?? false;
}

/** Parses a reference to a resource, else returns null. A relative one is of the origin of the resource that makes it. */
export function parseReference(reference: string, origin: string | null): ParsedReference | null {
  if (URN.test(reference)) return { form: 'name', name: reference.trim().toLowerCase() };
  const normal = normalizeReference(reference);
  const relative = RELATIVE.exec(normal);
  if (relative) return { form: 'id', type: relative[1] as string, id: relative[2] as string, origin };
  const absolute = parseAbsolute(normal);
  if (absolute) return { form: 'id', type: absolute.type, id: absolute.id, origin: absolute.base };
  return parseConditional(normal, origin);
}

const SEARCH = /^(?:(https?:\/\/[^?]+)\/)?([A-Z][A-Za-z]+)\?(.+)/;
const NAMING_PARAMETER = /^(identifier|_id)(:[A-Za-z-]+)?=(.+)/;

/** A part of a search that names something: by an identifier, or by the id that it has at its source. */
interface NamingParameter {
  name: string;
  modifier: string | undefined;
  value: string;
}

function parseParameter(parameter: string): NamingParameter | null {
  const [, name, modifier, value] = NAMING_PARAMETER.exec(decode(parameter)) ?? [];
  if (name === undefined || value === undefined) return null;
  // No id has white space, which a form sends for what was typed around it.
  return { name, modifier, value: name === '_id' ? value.replaceAll(/\s/g, '') : value };
}

/** Only a search by one identifier or id, and by nothing else, means what has it. */
function parseConditional(reference: string, origin: string | null): ParsedReference | null {
  const [, base, type, query = ''] = SEARCH.exec(reference) ?? [];
  const parameter = query.includes('&') ? null : parseParameter(query);
  if (type === undefined || parameter === null || parameter.modifier !== undefined) return null;
  const [token, ...others] = splitValues(parameter.value);
  if (token === undefined || others.length > 0) return null;
  if (parameter.name === '_id') return { form: 'id', type, id: token, origin: base ?? origin };
  return base === undefined ? { form: 'identifier', name: formatIdentifier(type, token) } : null;
}

/** Lists the names of all that a search names by identifiers or ids, whatever else it looks for. */
export function listSearchedNames(reference: string): string[] {
  const [, , type, query = ''] = SEARCH.exec(normalizeReference(reference)) ?? [];
  if (type === undefined) return [];
  const names = query.split('&').flatMap((text) => {
    const parameter = parseParameter(text);
    if (parameter === null) return [];
    const format = parameter.name === '_id' ? formatSourceId : formatIdentifier;
    return listTokens(parameter).map((token) => format(type, token));
  });
  return [...new Set(names)];
}

function listTokens({ modifier, value }: NamingParameter): string[] {
  const values = splitValues(value);
  // Of `system|code|value` the identifier is the last part. A comma may be one of the value that was not escaped.
  if (modifier === ':of-type') return values.map((each) => each.slice(each.lastIndexOf('|') + 1));
  return values.length > 1 ? [...values, value] : values;
}

/** Splits the value of a parameter at its commas; one that is part of a value is `\,` (R4 §3.1.1.4.0.1). */
const splitValues = (text: string): string[] =>
  (text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []).map((value) => value.replaceAll(/\\([,|$\\])/g, '$1'));

/** Formats an identifier for look-up: `Practitioner|system|value`; `Practitioner||value` has no system. */
export const formatIdentifier = (type: string, token: string): string => `${type}|${token}`;

/** Formats the id that a resource has at its source, for look-up where no search by it was linked: `Encounter?_id=7`. */
export const formatSourceId = (type: string, id: string): string => `${type}?_id=${id}`;

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? text : decoded;
  } catch {
    return text;
  }
}

/** Sets the resource's own id in its text: replaced, or added as the first element. */
export function replaceId(text: string, id: string): string {
  const span = findTopLevelValue(text, 'id');
  if (span) return text.slice(0, span.start) + JSON.stringify(id) + text.slice(span.end);
  const brace = text.indexOf('{') + 1;
  const empty = /^\s*\}/.test(text.slice(brace));
  return `${text.slice(0, brace)}"id":${JSON.stringify(id)}${empty ? '' : ','}${text.slice(brace)}`;
}

const UNQUOTED_ID = /"id"\s*:\s*[-\d]/;

/** Says whether the resource's own id is written as a number, which FHIR does not know. */
export function hasUnquotedId(text: string): boolean {
  if (!UNQUOTED_ID.test(text)) return false;
  const span = findTopLevelValue(text, 'id');
  return span !== null && text[span.start] !== '"';
}

/** Finds the span of a top-level value, whatever it is: quotes and brackets included. */
function findTopLevelValue(text: string, key: string): { start: number; end: number } | null {
  let depth = 0;
  const colon = /\s*:\s*/y;
  const tokens = createTokens();
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    depth += getDepthStep(token);
    if (depth !== 1 || token !== `"${key}"`) continue;
    colon.lastIndex = tokens.lastIndex;
    if (colon.test(text)) return { start: colon.lastIndex, end: findValueEnd(text, colon.lastIndex) };
  }
  return null;
}

const createTokens = (): RegExp => /"(?:[^"\\]|\\.)*"|[{}[\]]/g;

const getDepthStep = (token: string): number =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0;

/** Finds the end of the value that begins at a place of a well-formed text. */
function findValueEnd(text: string, start: number): number {
  const literal = /[^\s,"{}[\]]+/y;
  literal.lastIndex = start;
  if (literal.test(text)) return literal.lastIndex;
  const tokens = createTokens();
  tokens.lastIndex = start;
  let depth = 0;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    depth += getDepthStep(match[0]);
    if (depth === 0) break;
  }
  return tokens.lastIndex;
}
