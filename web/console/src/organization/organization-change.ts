import type { z } from 'zod';
import type { getOrganization, updateOrganization } from '../../../../contract/organization/organization.ts';
import { pickChanged, requireUnchanged } from '../kit/pick-changed.ts';

export type OrganizationData = z.infer<(typeof getOrganization)['response']>;
/** In the order in which it writes. */
export type Languages = 'en' | 'es' | 'en es' | 'es en';

export interface Choices {
  languages: Languages;
  timeZone: string;
  onlyVouchedApps: boolean;
  noNewRegistrations: boolean;
}

export type Values = Record<
  'displayName' | 'publicName' | 'contact.name' | 'contact.email' | 'contact.phone' | 'faultAddresses',
  string
>;

/** Everything that the form holds. */
export type Fields = Values & Choices;

export type Change = z.input<(typeof updateOrganization)['body']>;

export const readChoices = (organization: OrganizationData): Choices => ({
  languages: organization.languages.join(' ') as Languages,
  timeZone: organization.timeZone,
  onlyVouchedApps: organization.onlyVouchedApps,
  noNewRegistrations: organization.noNewRegistrations,
});

export const readValues = ({
  displayName,
  publicName,
  contact,
  faultAddresses,
}: OrganizationData): Values => ({
  displayName: displayName ?? '',
  publicName: publicName ?? '',
  'contact.name': contact?.name ?? '',
  'contact.email': contact?.email ?? '',
  'contact.phone': contact?.phone ?? '',
  faultAddresses: faultAddresses?.join(', ') ?? '',
});

const readFields = (organization: OrganizationData): Fields => ({
  ...readValues(organization),
  ...readChoices(organization),
});

export const toAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Builds what the fields say; what is empty is taken back. */
function buildBody(fields: Fields): Change {
  const contact = {
    name: orNull(fields['contact.name']),
    email: orNull(fields['contact.email']),
    phone: orNull(fields['contact.phone']),
  };
  const addresses = toAddresses(fields.faultAddresses);
  const hasContact = Object.values(contact).some((value) => value !== null);
  return {
    displayName: orNull(fields.displayName),
    publicName: orNull(fields.publicName),
    contact: hasContact ? contact : null,
    faultAddresses: addresses.length > 0 ? addresses : null,
    languages: fields.languages.split(' ') as ('en' | 'es')[],
    timeZone: fields.timeZone,
    onlyVouchedApps: fields.onlyVouchedApps,
    noNewRegistrations: fields.noNewRegistrations,
  };
}

/**
 * Builds what was changed in the form, which was filled with `before`. A contact is sent whole: what a colleague has changed of
 * it since stays as it is `now`.
 */
export function buildChange(
  written: Fields,
  { before, now }: { before: OrganizationData; now: OrganizationData },
): Change {
  const [filled, stored] = [readFields(before), readFields(now)];
  const mine = pickChanged(filled, written);
  requireUnchanged(mine, { before: filled, now: stored });
  return pickChanged(buildBody(stored), buildBody({ ...stored, ...mine }));
}
