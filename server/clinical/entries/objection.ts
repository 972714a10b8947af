import type { ParsedResource } from '../store/found-resource.ts';
import { readStatusCode } from './codeable-concept.ts';
import { readText, type Element } from './element.ts';
import { readAsR4 } from './older-version.ts';

/** What stands against a resource: `refuted`, `not-done`, or that it was entered in error. */
export type Objection = string;

export const IN_ERROR = 'entered-in-error';

/** A resource entered in error stays in the record, and no tool shows it, nor what others call it. */
export const isInError = (resource: Element): boolean =>
  ['status', 'verificationStatus', 'clinicalStatus', 'lifecycleStatus', 'docStatus'].some(
    (name) => readStatusCode(resource[name]) === IN_ERROR,
  );

/** Statuses of what did not take place, or is not so. */
const DENYING = new Set<string | null>(['not-done', 'not-taken', 'cancelled', 'declined', 'rejected']);

/** Returns what a name alone would hide: that the thing is doubted, ruled out, or did not take place. */
export function findDoubt({
  status,
  verification,
}: {
  status: string | null;
  verification: string | null;
}): Objection | null {
  if (verification !== null && verification !== 'confirmed') return verification;
  return DENYING.has(status) ? status : null;
}

/** Words of which one stands in every resource that there is an objection to. */
export const OBJECTING_WORDS = `[Nn]ot(Given|Taken|Done|Performed)"|"taken"|[Ee]ntered[-_ ][Ii]n[-_ ][Ee]rror|[Rr]efuted|[Uu]nconfirmed|[Pp]rovisional|[Dd]ifferential|${[...DENYING].join('|')}`;

/** Returns what stands against a resource; null for most. */
export function findObjection(written: ParsedResource): Objection | null {
  const resource = readAsR4(written);
  return isInError(resource)
    ? IN_ERROR
    : findDoubt({
        status: readText(resource['status']),
        verification: readStatusCode(resource['verificationStatus']),
      });
}
