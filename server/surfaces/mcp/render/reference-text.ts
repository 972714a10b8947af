import type { SimilarIds } from '../../../clinical/queries/short-references.sql.ts';
import { escapeInline } from './escape-markdown.ts';

interface Referenced {
  /** `Type/id`. */
  reference: string;
  similarIds?: SimilarIds | undefined;
}

/** A UUID is shown by its first characters; an id of any other form is short or means something, and is shown whole. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SHORT_LENGTH = 8;

/** `Type/id` as FHIR allows it, which needs no escaping; most references by far. */
const PLAIN_REFERENCE = /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;

/** "Condition/6d6e1f3a": as much of a UUID as no other resource of the type begins with, at least 8 characters. */
export function formatReference({ reference, similarIds }: Referenced): string {
  const slash = reference.indexOf('/');
  const id = reference.slice(slash + 1);
  if (UUID.test(id)) return `${reference.slice(0, slash + 1)}${shortenId(id, similarIds ?? [])}`;
  return PLAIN_REFERENCE.test(reference) ? reference : escapeInline(reference, 200);
}

function shortenId(id: string, similarIds: readonly (string | null)[]): string {
  const common = similarIds.map((other) => countCommon(id, other ?? ''));
  const length = Math.max(SHORT_LENGTH, ...common.map((count) => count + 1));
  // A dash alone distinguishes nothing that a reader would copy.
  return id.slice(0, id[length - 1] === '-' ? length + 1 : length);
}

function countCommon(id: string, other: string): number {
  const [one, two] = [id.toLowerCase(), other.toLowerCase()];
  let length = 0;
  while (length < one.length && one[length] === two[length]) length++;
  return length;
}
