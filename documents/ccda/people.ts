import type { Element } from 'slimdom';
import { toCodeableConcept } from './concepts.ts';
import { getChild, getChildren, getText } from './elements.ts';
import type { CodeableConcept, FhirObject, Reference } from './fhir-values.ts';
import { toIdentifiers, getIdKeys } from './identifiers.ts';
import { toAddresses, formatName, toContactPoints } from './contact-details.ts';
import type { NarrativeIndex } from './narrative-index.ts';
import {
  buildDevice,
  getDeviceName,
  buildOrganization,
  buildPractitioner,
  getRepresentedOrganization,
} from './people-resources.ts';
import type { ResourceList } from './resource-list.ts';
import { toTime, type Time } from './times.ts';

/** Who did something and when, from `author` and `performer` elements. */
export interface Participation {
  who: Reference;
  /** The organization they acted for. */
  organization: Reference | undefined;
  when: Time | undefined;
}

interface ParticipantData {
  element: Element;
  name: string | undefined;
  /** What it is, where that alone distinguishes it from another one. */
  kind?: CodeableConcept | undefined;
  content: FhirObject;
}

/**
 * The people, organizations and devices of one document. Documents name the same physician at every entry, so each
 * resource is made once. Some vendors give several authors the same identifier: another name is another person.
 */
export class People {
  readonly #resources: ResourceList;
  readonly #narrative: NarrativeIndex;
  readonly #known = new Map<string, Reference>();
  readonly #byIdentifier = new Map<string, Reference>();

  constructor(resources: ResourceList, narrative: NarrativeIndex) {
    this.#resources = resources;
    this.#narrative = narrative;
  }

  /** Returns the first `author` of the element; undefined where none is named. */
  findAuthor(element: Element | undefined): Participation | undefined {
    return getChildren(element, 'author')
      .map((author) => this.#doer(author))
      .find((one) => one !== undefined);
  }

  /** Returns every `performer` of the element. */
  findPerformers(element: Element | undefined): Participation[] {
    return getChildren(element, 'performer').flatMap((performer) => this.#doer(performer) ?? []);
  }

  /**
   * Resolves an `assignedEntity`, `assignedAuthor` or `associatedEntity` to a Practitioner, a Device or, without a
   * person, a PractitionerRole that has the specialty, or an Organization.
   */
  resolveAssigned(entity: Element | undefined): Reference | undefined {
    const device = getChild(entity, 'assignedAuthoringDevice');
    if (entity === undefined) return undefined;
    if (device !== undefined)
      return this.#once('Device', {
        element: entity,
        name: getDeviceName(device),
        content: buildDevice(entity, device),
      });
    const person = getChild(entity, 'assignedPerson') ?? getChild(entity, 'associatedPerson');
    const name = formatName(person);
    if (name === undefined)
      return (
        this.#role(entity) ??
        this.resolveOrganization(getRepresentedOrganization(entity)) ??
        this.#unnamed(entity)
      );
    const content = buildPractitioner(entity, { person, narrative: this.#narrative });
    return this.#once('Practitioner', { element: entity, name, content });
  }

  /** Resolves a `representedOrganization`, `custodianOrganization`, `scopingOrganization` … */
  resolveOrganization(element: Element | undefined): Reference | undefined {
    const name = getText(getChild(element, 'name'));
    if (element === undefined || (name === undefined && toIdentifiers(element).length === 0))
      return undefined;
    return this.#once('Organization', { element, name, content: buildOrganization(element) });
  }

  /** Resolves a `location` of the header, or a `participantRole` that is a location. */
  resolveLocation(element: Element | undefined, name: string | undefined): Reference | undefined {
    if (element === undefined) return undefined;
    // Of a facility in the header the location inside of it has the name, and the facility the kind.
    const code = getChild(element, 'code') ?? getChild(element.parentElement ?? undefined, 'code');
    const kind = toCodeableConcept(code, this.#narrative);
    if (name === undefined && kind === undefined) return undefined;
    const content = {
      identifier: toIdentifiers(element),
      name,
      type: kind && [kind],
      telecom: toContactPoints(element),
      address: toAddresses(element)[0],
    };
    return this.#once('Location', { element, name, kind, content });
  }

  /**
   * Resolves somebody without a name whose specialty is known: a psychiatrist at a clinic is more than the clinic. An
   * `associatedEntity` has a relationship in its place.
   */
  #role(entity: Element): Reference | undefined {
    const kind =
      entity.localName === 'associatedEntity'
        ? undefined
        : toCodeableConcept(getChild(entity, 'code'), this.#narrative);
    if (kind === undefined) return undefined;
    const known = getIdKeys(entity).flatMap((key) => this.#byIdentifier.get(key) ?? []);
    const organization = this.resolveOrganization(getRepresentedOrganization(entity));
    const practitioner = known.find(({ reference }) => reference?.startsWith('Practitioner/'));
    const name = practitioner?.display ?? organization?.display;
    const content = {
      identifier: toIdentifiers(entity),
      practitioner,
      organization,
      specialty: [kind],
      telecom: toContactPoints(entity),
    };
    return this.#once('PractitionerRole', { element: entity, name, kind, content });
  }

  /** Resolves an entity with an identifier and no name, by which entries refer to an author of the header. */
  #unnamed(entity: Element): Reference | undefined {
    const same = getIdKeys(entity).flatMap((key) => this.#byIdentifier.get(key) ?? [])[0];
    if (same !== undefined || toIdentifiers(entity).length === 0) return same;
    const content = buildPractitioner(entity, { person: undefined, narrative: this.#narrative });
    return this.#once('Practitioner', { element: entity, name: undefined, content });
  }

  #doer(element: Element): Participation | undefined {
    const entity = getChild(element, 'assignedAuthor') ?? getChild(element, 'assignedEntity');
    const who = this.resolveAssigned(entity);
    return (
      who && {
        who,
        organization: this.resolveOrganization(getRepresentedOrganization(entity)),
        when: toTime(getChild(element, 'time')),
      }
    );
  }

  #once(type: string, { element, name, kind, content }: ParticipantData): Reference {
    const keys = getIdKeys(element);
    const key = `${type}|${keys.join(',')}|${name?.toLowerCase() ?? ''}|${kind ? JSON.stringify(kind) : ''}`;
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

/** Returns a reference as one to who took part in a visit: neither a device nor an organization, nor called as one. */
export function toIndividual(who: Reference | undefined): Reference | undefined {
  if (who?.reference?.startsWith('PractitionerRole/')) return { reference: who.reference };
  return who?.reference?.startsWith('Practitioner/') ? who : undefined;
}
