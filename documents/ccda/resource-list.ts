import { serializeResource, type FhirObject, type Reference, type Resource } from './fhir-values.ts';
import { deriveUuid } from '../fhir/derive-uuid.ts';

/** An entry that no resource was made of, and why: a word of `LeftOut`. */
export interface SkippedEntry {
  position: string;
  section: string;
  reason: SkipReason;
}

/**
 * `null_flavored`: the entry says no more than that nothing is known. `duplicate`: the document holds it twice under the
 * same identifier. `part_of_another`: its content is in the resource of another entry. `no_content`: neither code nor
 * value nor text. `no_form`: of a form that no template of the section knows; its narrative is kept as a note, as with `failed`.
 */
export type SkipReason =
  | 'null_flavored'
  | 'duplicate'
  | 'part_of_another'
  | 'no_content'
  | 'no_form'
  | 'failed';

export interface PositionedResource {
  resource: Resource;
  position: string;
}

/** What is made of one document, in the order it was made. Ids depend on the document and the place in it alone. */
export class ResourceList {
  readonly items: PositionedResource[] = [];
  readonly skipped: SkippedEntry[] = [];
  readonly #documentId: string;
  readonly #used = new Map<string, number>();

  constructor(documentId: string) {
    this.#documentId = documentId;
  }

  /** Adds a resource and gives the reference to it. A place may have several of a type: they are numbered. */
  add(resourceType: string, position: string, content: FhirObject): Reference & { reference: string } {
    const reference = this.reserve(resourceType, position);
    this.put(reference, position, content);
    return reference;
  }

  /** A reference to a resource that is filled in later. */
  reserve(resourceType: string, position: string): Reference & { reference: string } {
    const key = `${resourceType}|${position}`;
    const count = this.#used.get(key) ?? 0;
    this.#used.set(key, count + 1);
    return { reference: `${resourceType}/${deriveUuid(`${this.#documentId}|${key}|${count}`)}` };
  }

  put({ reference }: { reference: string }, position: string, content: FhirObject): void {
    const [resourceType = '', id = ''] = reference.split('/');
    this.items.push({ resource: { resourceType, id, ...content }, position });
  }

  skip(entry: SkippedEntry): void {
    this.skipped.push(entry);
  }
}

export const serializeItem = ({ resource }: PositionedResource): string => serializeResource(resource);
