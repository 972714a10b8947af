import type { ParsedResource } from '../store/found-resource.ts';
import { toElement, toElements, toArray, readText, type Element } from './element.ts';

/** Reads a literal reference without its version; null for contained and logical references. */
export function readReference(value: unknown): string | null {
  const written = readText(typeof value === 'string' ? value : toElement(value)?.['reference']);
  if (written === null || written.startsWith('#') || /\s/.test(written)) return null;
  return written.replace(/\/_history\/[^/]*$/, '');
}

/** Whether a reference is `Type/id`, which can point to another resource of the same record. */
export function isRelative(reference: string): boolean {
  return /^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9.-]{1,64}$/.test(reference);
}

/** Finds the resource that a `#id` reference points to inside its container. */
export function findContained(value: unknown, container: ParsedResource): Element | null {
  const written = readText(typeof value === 'string' ? value : toElement(value)?.['reference']);
  if (written === null || !written.startsWith('#')) return null;
  const id = written.slice(1);
  return toElements(container['contained']).find((each) => each['id'] === id) ?? null;
}

/** Elements that may name an organization, the recording one before the performing one. */
export const ORGANIZATION_ELEMENTS = [
  'serviceProvider',
  'custodian',
  'managingOrganization',
  'organization',
  'performer',
  'author',
  'provider',
  'informationSource',
];

/** Finds the first reference to an Organization. */
export function findOrganization(resource: ParsedResource): Element | null {
  for (const name of ORGANIZATION_ELEMENTS) {
    if (resource[name] === undefined) continue;
    const found = toReferences(resource[name]).find((each) => isOrganization(each, resource));
    if (found) return found;
  }
  return null;
}

/** Returns the references in an element that is a Reference, or a backbone element with an actor. */
export function toReferences(value: unknown): Element[] {
  if (value === undefined) return [];
  return toArray(value).flatMap((member): Element[] => {
    if (typeof member === 'string') return [{ reference: member }];
    const each = toElement(member);
    if (each === null) return [];
    const inner = toElement(each['actor']) ?? toElement(each['individual']) ?? toElement(each['member']);
    return [inner ?? each];
  });
}

function isOrganization(reference: Element, container: ParsedResource): boolean {
  const written = readText(reference['reference']) ?? '';
  return (
    reference['type'] === 'Organization' ||
    /(^|\/)Organization[/?]/.test(written) ||
    findContained(reference, container)?.['resourceType'] === 'Organization'
  );
}
