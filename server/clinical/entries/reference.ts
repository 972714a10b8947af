import type { EntryBase } from './entry.ts';
import { MAX_NAME_LENGTH } from '../store/identity.ts';
import { LOOKED_UP_TYPES } from '../store/looked-up-types.ts';
import { formatStrength } from './drug-strength.ts';
import { getPath, joinPresent, readText } from './element.ts';
import { isInError } from './objection.ts';
import { buildDisplay } from './resource-display.ts';
import {
  findContained,
  isRelative,
  findOrganization,
  readReference,
  toReferences,
} from './reference-text.ts';
import type { ReferenceTarget, EntryInput } from './entry-builder.ts';
import type { ParsedResource } from '../store/found-resource.ts';

const UNKNOWN_TARGET: ReferenceTarget = { display: null, organization: null, code: null };

/** Whether a reference may have a target that is looked up, or one inside its own document. */
export function isResolvable(reference: string): boolean {
  return !isRelative(reference) || LOOKED_UP_TYPES.has(reference.split('/')[0] ?? '');
}

/** Resolves a reference: inside the resource, or elsewhere in the record. */
export function resolveTarget(value: unknown, { resource, context }: EntryInput): ReferenceTarget {
  const inside = findContained(value, resource);
  if (inside) {
    if (isInError(inside)) return UNKNOWN_TARGET;
    const { display, organizationDisplay, code } = buildDisplay(inside as ParsedResource);
    return { display, organization: organizationDisplay, code, strength: formatStrength(inside) };
  }
  const reference = readReference(value);
  if (reference === null || !isResolvable(reference)) return UNKNOWN_TARGET;
  return context.resolve(reference) ?? UNKNOWN_TARGET;
}

/** Returns what a resource calls the target of its reference; null of one that it contains and that was entered in error. */
export function readWrittenDisplay(reference: unknown, { resource }: EntryInput): string | null {
  const inside = findContained(reference, resource);
  return inside !== null && isInError(inside) ? null : readText(getPath(reference, 'display'));
}

/** Returns the display of a reference's target: the one beside the reference first, for it costs no look-up. */
export function resolveDisplay(value: unknown, input: EntryInput): string | null {
  const [reference] = toReferences(value);
  if (!reference) return null;
  return readWrittenDisplay(reference, input) ?? resolveTarget(reference, input).display;
}

export function resolveDisplays(value: unknown, input: EntryInput): string[] {
  return toReferences(value).flatMap((reference) => resolveDisplay(reference, input) ?? []);
}

export function formatDisplays(value: unknown, input: EntryInput): string | null {
  return joinPresent(resolveDisplays(value, input), ', ');
}

/** Finds `Encounter/id` as referenced (or its urn) in `encounter`, or in `context` in its three shapes. */
export function findVisitReference({ resource }: EntryInput): string | null {
  const [inContext] = toReferences(resource['context']);
  const candidates = [resource['encounter'], inContext?.['encounter'], inContext];
  for (const candidate of candidates) {
    const reference = readReference(toReferences(candidate)[0]);
    if (reference === null || reference.length > MAX_NAME_LENGTH) continue;
    if (/^urn:|(^|\/)Encounter[/?]/.test(reference)) return reference;
  }
  return null;
}

const ACTORS = ['performer', 'author', 'requester', 'recorder', 'asserter', 'participant', 'location'];

/**
 * Resolves the organization that recorded the fact: named by the resource, else the visit's, else that of its author or location.
 * The visit comes before the author because an author works for many, a visit happens at one.
 */
export function resolveOrganization(
  input: EntryInput,
): Pick<EntryBase, 'organization' | 'organizationWithoutVisit'> {
  const named = findOrganization(input.resource);
  const byName = named && (readWrittenDisplay(named, input) ?? resolveTarget(named, input).display);
  if (byName) return { organization: byName };
  const byActor = resolveActorOrganization(input);
  const visit = findVisitReference(input);
  const byVisit = visit && input.context.resolve(visit)?.organization;
  if (!byVisit || byVisit === byActor) return { organization: byActor };
  return { organization: byVisit, organizationWithoutVisit: byActor };
}

function resolveActorOrganization(input: EntryInput): string | null {
  for (const name of ACTORS) {
    if (input.resource[name] === undefined) continue;
    for (const reference of toReferences(input.resource[name])) {
      const { organization } = resolveTarget(reference, input);
      if (organization !== null) return organization;
    }
  }
  return null;
}
