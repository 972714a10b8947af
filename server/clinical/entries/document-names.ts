import type { ParsedResource } from '../store/found-resource.ts';
import { normalizeName } from './codeable-concept.ts';
import { getPath, toElements, readText } from './element.ts';
import { isInformativeName } from './group-key.ts';

/** A longer description is a text rather than a name. */
const MAX_LENGTH = 120;

/**
 * Collects what a document is called besides its type, for search, and the name of the document that it is a part of:
 * "Findings" are of a chest X-ray.
 */
export function collectDocumentNames(resource: ParsedResource, title: string | null): string[] {
  const related = toElements(getPath(resource, 'context', 'related')).map(({ display }) => display);
  const known = new Set([normalizeName(title ?? '')]);
  return [resource['description'], ...related].flatMap((value) => {
    const name = readText(value);
    if (name === null || name.length > MAX_LENGTH || !isInformativeName(name)) return [];
    const plain = normalizeName(name);
    return known.has(plain) ? [] : (known.add(plain), [name]);
  });
}
