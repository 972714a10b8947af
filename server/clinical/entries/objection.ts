import type { ParsedResource } from '../store/found-resource.ts';
import type { Element } from './element.ts';
import { readAsR4 } from './read-as-r4.ts';
import { readStatusCode } from './status-code.ts';

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

/**
 * Words, in letters of either case, of which one stands in every resource that there is an objection to, however it is
 * spelled. PostgreSQL needs half the time for them when "not" stands there once.
 */
export const OBJECTING_WORDS =
  'not[-_ ]?(done|given|administered|performed|taken|taking)|"taken"|entered[-_ ]?in[-_ ]?error|refuted|ruled[-_ ]?out|unconfirmed|presumed|provisional|differential|cancell?ed|declined|rejected';

/** Returns what stands against a resource; null for most. */
export function findObjection(written: ParsedResource): Objection | null {
  const resource = readAsR4(written);
  return isInError(resource)
    ? IN_ERROR
    : findDoubt({
        status: readStatusCode(resource['status']),
        verification: readStatusCode(resource['verificationStatus']),
      });
}
