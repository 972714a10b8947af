import type { Element } from 'slimdom';
import { concept } from './concepts.ts';
import { child, children, textOf } from './elements.ts';
import type { FhirObject, Reference } from './fhir-values.ts';
import { identifiers, idKeys } from './identifiers.ts';
import { addresses, nameText, telecoms } from './names.ts';
import type { NarrativePlaces } from './narrative-places.ts';
import {
  deviceContent,
  deviceName,
  organizationContent,
  practitionerContent,
  representedBy,
} from './people-content.ts';
import type { ResourceList } from './resource-list.ts';
import { time, type Time } from './times.ts';

/** Who did something and when, as `author` and `performer` elements say it. */
export interface Doer {
  who: Reference;
  /** The organization they did it for. */
  organization: Reference | undefined;
  when: Time | undefined;
}

interface Found {
  element: Element;
  name: string | undefined;
  content: FhirObject;
}

/**
 * The people, organizations and devices of one document. Documents name the same physician at every entry, so each is
 * made once. Vendors give several authors the same identifier now and then: with another name it is another one.
 */
export class People {
  readonly #resources: ResourceList;
  readonly #narrative: NarrativePlaces;
  readonly #known = new Map<string, Reference>();
  readonly #byIdentifier = new Map<string, Reference>();

  constructor(resources: ResourceList, narrative: NarrativePlaces) {
    this.#resources = resources;
    this.#narrative = narrative;
  }

  /** The first `author` of the element, or undefined where nobody is named. */
  author(element: Element | undefined): Doer | undefined {
    return children(element, 'author')
      .map((author) => this.#doer(author))
      .find((one) => one !== undefined);
  }

  /** Every `performer` of the element. */
  performers(element: Element | undefined): Doer[] {
    return children(element, 'performer').flatMap((performer) => this.#doer(performer) ?? []);
  }

  /** An `assignedEntity`, `assignedAuthor` or `associatedEntity`: Practitioner, Device or, without a person, Organization. */
  assigned(entity: Element | undefined): Reference | undefined {
    const device = child(entity, 'assignedAuthoringDevice');
    if (entity === undefined) return undefined;
    if (device !== undefined)
      return this.#once('Device', {
        element: entity,
        name: deviceName(device),
        content: deviceContent(entity, device),
      });
    const person = child(entity, 'assignedPerson') ?? child(entity, 'associatedPerson');
    const name = nameText(person);
    if (name === undefined) return this.organization(representedBy(entity)) ?? this.#unnamed(entity);
    const content = practitionerContent(entity, { person, narrative: this.#narrative });
    return this.#once('Practitioner', { element: entity, name, content });
  }

  /** A `representedOrganization`, `custodianOrganization`, `scopingOrganization` … */
  organization(element: Element | undefined): Reference | undefined {
    const name = textOf(child(element, 'name'));
    if (element === undefined || (name === undefined && identifiers(element).length === 0)) return undefined;
    return this.#once('Organization', { element, name, content: organizationContent(element) });
  }

  /** A `location` of the header, or a `participantRole` that is a place. */
  place(element: Element | undefined, name: string | undefined): Reference | undefined {
    if (element === undefined || name === undefined) return undefined;
    const kind = concept(child(element, 'code'), this.#narrative);
    const content = {
      identifier: identifiers(element),
      name,
      type: kind && [kind],
      telecom: telecoms(element),
      address: addresses(element)[0],
    };
    return this.#once('Location', { element, name, content });
  }

  /** Somebody of whom there is an identifier and no name: entries refer so to an author of the header. */
  #unnamed(entity: Element): Reference | undefined {
    const same = idKeys(entity).flatMap((key) => this.#byIdentifier.get(key) ?? [])[0];
    if (same !== undefined || identifiers(entity).length === 0) return same;
    const content = practitionerContent(entity, { person: undefined, narrative: this.#narrative });
    return this.#once('Practitioner', { element: entity, name: undefined, content });
  }

  #doer(element: Element): Doer | undefined {
    const entity = child(element, 'assignedAuthor') ?? child(element, 'assignedEntity');
    const who = this.assigned(entity);
    return (
      who && {
        who,
        organization: this.organization(representedBy(entity)),
        when: time(child(element, 'time')),
      }
    );
  }

  #once(type: string, { element, name, content }: Found): Reference {
    const keys = idKeys(element);
    const key = `${type}|${keys.join(',')}|${name?.toLowerCase() ?? ''}`;
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const reference = {
      ...this.#resources.add(type, `${type}[${this.#known.size + 1}]`, content),
      display: name,
    };
    this.#known.set(key, reference);
    for (const one of keys) if (!this.#byIdentifier.has(one)) this.#byIdentifier.set(one, reference);
    return reference;
  }
}
