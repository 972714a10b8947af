import { parseAbsolute } from '../../store/identity.ts';
import { listNestedResources, listOwnerReferences, type NestedResource } from '../../store/owner-elements.ts';
import type { ResourceAt } from '../import/read-facts.ts';
import { cleanText, type NamedPerson } from './named-person.ts';
import { readText, splitWords } from './name-reading.ts';

/** Somebody whom a resource names as the one it is about, by a name beside the reference, or by a reference to nobody of the upload. */
export interface NamedOwner extends NamedPerson {
  path: string;
  /** The reference of one who is not in the upload, and whose name is not written; null: the name is. */
  reference: string | null;
}

export interface OwnerCollector {
  add(located: ResourceAt): void;
  /** Lists the owners who are not in the upload, or are named beside the reference, each once, when all of it was added. */
  listOwners(): NamedOwner[];
  /** How many more there are, which were not noted. */
  countMore(): number;
}

interface Mention {
  reference: string | null;
  /** `system|value` */
  identifier: string | null;
  display: string | null;
  path: string;
}

/** An upload that names more is of many people, whoever they are. */
const MAX_MENTIONS = 5_000;
const MAX_LENGTH = 300;

/** Collects whom the resources of an upload name as their owners; those who are Patients of it are compared as such. */
export function createOwnerCollector(): OwnerCollector {
  const patients = createPatientNames();
  const mentions = new Map<string, Mention>();
  let more = 0;
  return {
    add({ path, found }) {
      for (const nested of listNestedResources(found.resource, found.fullUrl)) {
        patients.add(nested);
        for (const mention of readMentions(nested.resource)) {
          const key = JSON.stringify([mention.reference, mention.identifier, mention.display]);
          if (mentions.has(key)) continue;
          if (mentions.size < MAX_MENTIONS) mentions.set(key, { ...mention, path });
          else more++;
        }
      }
    },
    listOwners() {
      const owners = [...mentions.values()].flatMap((mention) =>
        toOwner(mention, patients.isEmpty() || patients.has(mention)),
      );
      return [
        ...new Map(owners.toReversed().map((owner) => [owner.names[0]?.text, owner])).values(),
      ].toReversed();
    },
    countMore: () => more,
  };
}

function readMentions(resource: NestedResource['resource']): Omit<Mention, 'path'>[] {
  return listOwnerReferences(resource).flatMap(({ reference, identifier, display, type }) => {
    const [written, name] = [readString(reference), readString(display)];
    if (!mayBePerson(written, type)) return [];
    // One who is contained is read as a person.
    if (written?.startsWith('#')) return [];
    const token = formatToken(identifier);
    return written === null && token === null && name === null
      ? []
      : [{ reference: written, identifier: token, display: name }];
  });
}

const PEOPLE: ReadonlySet<unknown> = new Set(['Patient', 'Person']);

/** A device or a place may be the subject too. */
function mayBePerson(reference: string | null, type: unknown): boolean {
  const named =
    reference === null
      ? null
      : /(?:^|\/)([A-Z][A-Za-z]+)\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/|$)/.exec(reference);
  return PEOPLE.has(named?.[1] ?? type ?? 'Patient');
}

/** By what the Patients of an upload may be referred to. */
function createPatientNames() {
  /** The servers that give an id to a Patient; '' where none is named. */
  const bases = new Map<string, Set<string>>();
  const names = new Set<string>();
  return {
    isEmpty: (): boolean => bases.size === 0 && names.size === 0,
    add({ resource, fullUrl }: NestedResource): void {
      if (!PEOPLE.has(resource['resourceType'])) return;
      const id = readString(resource['id']);
      const base = parseAbsolute(fullUrl ?? '')?.base ?? '';
      if (id !== null) bases.set(id, (bases.get(id) ?? new Set<string>()).add(base));
      if (fullUrl !== null) names.add(toName(fullUrl));
      const identifiers = resource['identifier'];
      for (const identifier of Array.isArray(identifiers) ? (identifiers as unknown[]) : [])
        names.add(formatToken(identifier) ?? '');
    },
    has({ reference, identifier }: Mention): boolean {
      if (reference === null) return identifier !== null && names.has(identifier);
      if (names.has(toName(reference))) return true;
      const absolute = parseAbsolute(reference);
      if (absolute) {
        const known = bases.get(absolute.id);
        return known !== undefined && (known.has(absolute.base) || known.has(''));
      }
      const token = /^Patient\?identifier=([^&]+)$/.exec(reference)?.[1];
      if (token !== undefined) return names.has(decode(token));
      const [, id = ''] =
        /^(?:Patient\/|Person\/|urn:uuid:)([A-Za-z0-9\-.]{1,64})(?:\/_history\/.*)?$/i.exec(reference) ?? [];
      return bases.has(id);
    },
  };
}

/**
 * One of whom only an identifier is there is not asked about, as it says nothing to anybody; nor one who is a Patient of the upload
 * (`isThere`), or would be had it any.
 */
function toOwner({ reference, display, path }: Mention, isThere: boolean): NamedOwner[] {
  const nobody = { birthDate: null, sex: null, path };
  if (display !== null && isName(display))
    return [
      { ...nobody, names: [{ text: cleanText(display), readings: readText(display) }], reference: null },
    ];
  if (reference === null || isThere) return [];
  return [{ ...nobody, names: [{ text: reference, readings: [] }], reference }];
}

/** Words that stand where a name does, and are none. */
const NO_NAMES = new Set(
  'the of this that a an el la del de este patient paciente subject self person record unknown anonymous test example'.split(
    ' ',
  ),
);

/** Two to five words, of which none says that it is no name: "DOE, JOHN", and not "The patient of this record". */
function isName(text: string): boolean {
  const words = splitWords(text);
  return words.length >= 2 && words.length <= 5 && !words.some((word) => NO_NAMES.has(word));
}

const toName = (url: string): string =>
  /^urn:/i.test(url) ? url.toLowerCase() : url.replace(/\/_history\/[A-Za-z0-9\-.]{1,64}$/, '');

function formatToken(identifier: unknown): string | null {
  const { system, value } = (identifier ?? {}) as { system?: unknown; value?: unknown };
  const written = readString(value);
  return written === null ? null : `${readString(system) ?? ''}|${written}`;
}

const readString = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_LENGTH) : null;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
