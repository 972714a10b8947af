import type { EntryBase } from '../entry.ts';
import { LOOKED_UP_TYPES } from '../looked-up-types.ts';
import { joined, text } from './element.ts';
import { ownLabel } from './own-label.ts';
import { contained, isRelative, organizationIn, referenceText, references } from './reference-text.ts';
import type { Resolved, Source } from './source.ts';
import type { ParsedResource } from '../found-resource.ts';

const UNKNOWN: Resolved = { label: null, organization: null, code: null };

function mayBeAsked(reference: string): boolean {
  return !isRelative(reference) || LOOKED_UP_TYPES.has(reference.split('/')[0] ?? '');
}

/** What a reference points to: inside the resource, or elsewhere in the record. */
export function resolved(value: unknown, { resource, context }: Source): Resolved {
  const inside = contained(value, resource);
  if (inside) {
    const own = ownLabel(inside as ParsedResource);
    return { label: own.label, organization: own.organizationDisplay, code: own.code };
  }
  const reference = referenceText(value);
  if (reference === null || !mayBeAsked(reference)) return UNKNOWN;
  return context.resolve(reference) ?? UNKNOWN;
}

/** The name of what a reference points to: the words beside the reference first, for they cost no look-up. */
export function labelOf(value: unknown, source: Source): string | null {
  const [reference] = references(value);
  if (!reference) return null;
  return text(reference['display']) ?? resolved(reference, source).label;
}

export function labelsOf(value: unknown, source: Source): string[] {
  return references(value).flatMap((reference) => labelOf(reference, source) ?? []);
}

export function labelList(value: unknown, source: Source): string | null {
  return joined(labelsOf(value, source), ', ');
}

/** `Encounter/id` as referenced (or the urn it had), from `encounter`, or from `context` in its three shapes. */
export function visitOf({ resource }: Source): string | null {
  const [inContext] = references(resource['context']);
  const candidates = [resource['encounter'], inContext?.['encounter'], inContext];
  for (const candidate of candidates) {
    const reference = referenceText(references(candidate)[0]);
    if (reference !== null && /^urn:|(^|\/)Encounter[/?]/.test(reference)) return reference;
  }
  return null;
}

const ACTORS = ['performer', 'author', 'requester', 'recorder', 'asserter', 'participant', 'location'];

/**
 * The organization that says so: named by the resource, else the visit's, else the one its author or place belongs to.
 * The visit comes before the author because an author works for many, a visit happens at one.
 */
export function organizationOf(source: Source): Pick<EntryBase, 'organization' | 'organizationWithoutVisit'> {
  const named = organizationIn(source.resource);
  const byName = named && (text(named['display']) ?? resolved(named, source).label);
  if (byName) return { organization: byName };
  const byActor = organizationOfActor(source);
  const visit = visitOf(source);
  const byVisit = visit && source.context.resolve(visit)?.organization;
  if (!byVisit || byVisit === byActor) return { organization: byActor };
  return { organization: byVisit, organizationWithoutVisit: byActor };
}

function organizationOfActor(source: Source): string | null {
  for (const reference of ACTORS.flatMap((name) => references(source.resource[name]))) {
    const { organization } = resolved(reference, source);
    if (organization !== null) return organization;
  }
  return null;
}
