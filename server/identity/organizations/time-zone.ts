import type { OrganizationId } from '../../../contract/brands.ts';
import { maybeOne, one, type Queryable } from '../../platform/db/db.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import { findKnownZone, findTimeZone } from './organizations.sql.ts';

/** Returns the zone of the IANA database whose days an organization counts in. */
export const getTimeZone = async (on: Queryable, organizationId: OrganizationId): Promise<string> =>
  (await one(on, findTimeZone(organizationId))).time_zone;

/** Throws `invalid_input` for a zone that the store does not know: its list may be older than ours. */
export async function requireKnownZone(on: Queryable, timeZone: string): Promise<void> {
  if (timeZone !== 'UTC' && !(await maybeOne(on, findKnownZone(timeZone))))
    throw invalidInput([{ path: 'timeZone', message: 'is no time zone that the store knows' }]);
}
