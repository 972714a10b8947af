import type { LoadTexts } from '../import/attachment-texts.ts';
import type { ResourceAt } from '../import/read-facts.ts';
import { mayHoldContent, readAttachedPersons } from './attached-persons.ts';
import { createOwnerCollector, type OwnerCollector } from './collect-owners.ts';
import { readPersons, type NamedPerson } from './named-person.ts';

/** Somebody whom an upload names, and the file in which they are named first. */
export interface CollectedPerson extends NamedPerson {
  path: string;
}

/** Different persons that are compared; an upload that names more is asked about in any case. */
const MAX_PERSONS = 200;

export interface PersonCollector {
  /** Passes resources on, and notes the persons whose they are. */
  observe(resources: AsyncIterable<ResourceAt>): AsyncGenerator<ResourceAt>;
  persons: readonly CollectedPerson[];
  /** Whom the resources name as their owners. */
  owners: Pick<OwnerCollector, 'listOwners' | 'countMore'>;
  /** How many more there are, which were not noted. */
  countMore(): number;
}

/** Where none of these words stands, no Patient or Person does; an escape may stand for any of the letters. */
const MAY_HOLD_PERSON = /"(?:Patient|Person)"|\\u/;

/** Collects the persons whom an upload names, each once; `loadTexts` extracts what is attached to its resources. */
export function createPersonCollector(loadTexts: LoadTexts): PersonCollector {
  const found = new Map<string, CollectedPerson>();
  const persons: CollectedPerson[] = [];
  const owners = createOwnerCollector();
  let more = 0;
  const add = (person: NamedPerson, path: string): void => {
    if (person.names.length === 0 && person.birthDate === null && person.sex === null) return;
    const key = JSON.stringify([person.names.map(({ text }) => text), person.birthDate, person.sex]);
    if (found.has(key)) return;
    if (persons.length >= MAX_PERSONS) {
      more++;
      return;
    }
    const collected = { ...person, path };
    found.set(key, collected);
    persons.push(collected);
  };
  const readAll = async (found: ResourceAt['found']): Promise<NamedPerson[]> => {
    const { resource, text: body } = found;
    const persons = MAY_HOLD_PERSON.test(body) ? readPersons(resource) : [];
    if (!mayHoldContent(found)) return persons;
    const texts = await loadTexts([{ row: { body }, resource }]);
    return [...persons, ...readAttachedPersons(resource, (digest) => texts.get(digest) ?? null)];
  };
  return {
    persons,
    owners,
    countMore: () => more,
    async *observe(resources) {
      for await (const located of resources) {
        owners.add(located);
        for (const person of await readAll(located.found)) add(person, located.path);
        yield located;
      }
    },
  };
}
