import { serializeResource, type FhirObject, type Reference, type Resource } from './fhir-values.ts';
import { deriveUuid } from '../fhir/derive-uuid.ts';

/** An entry without a resource, and why. */
export interface SkippedEntry {
  position: string;
  section: string;
  reason: SkipReason;
}

/**
 * `null_flavored`: the entry only says that nothing is known. `duplicate`: the section holds it twice. `part_of_another`:
 * its content is in the resource of another entry. `no_content`: neither code nor value nor text. `no_form`: a form that no
 * template of the section has; its narrative is kept as a note, as with `failed`.
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

/** The resources of one document, in the order of their creation. Ids depend on the document and the position in it alone. */
export class ResourceList {
  readonly items: PositionedResource[] = [];
  readonly skipped: SkippedEntry[] = [];
  readonly #documentId: string;
  readonly #used = new Map<string, number>();

  constructor(documentId: string) {
    this.#documentId = documentId;
  }

  /** Adds a resource and returns the reference to it. Several of a type at one position are numbered. */
  add(resourceType: string, position: string, content: FhirObject): Reference & { reference: string } {
    const reference = this.reserve(resourceType, position);
    this.put(reference, position, content);
    return reference;
  }

  /** Returns a reference to a resource that is put in later. */
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
