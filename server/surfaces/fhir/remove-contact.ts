import type { ResourceScope } from '../../../contract/data-categories.ts';
import { withoutContact } from '../../clinical/labels/contact-elements.ts';

/** The categories that a consent covers to show how to reach a person. */
export const CONTACT_CATEGORIES = ['DEMOGRAPHICS', 'CONTACT_INFO'] as const satisfies ResourceScope[];

/**
 * Removes addresses and telephone numbers from a Patient or Person, for readers who may see who it is but not how to reach them.
 * The result is serialized anew, with every number as it was written.
 */
export function removeContact(body: string): string {
  const person = JSON.parse(body, preserveNumber as (key: string, value: unknown) => unknown) as object;
  return JSON.stringify(withoutContact(person));
}

const preserveNumber = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value;
