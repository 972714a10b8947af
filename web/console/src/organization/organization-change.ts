import type { z } from 'zod';
import type { getOrganization, updateOrganization } from '../../../../contract/organization/organization.ts';

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

export const toAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Builds what the form says; what is empty is taken back. */
export function buildChange(values: Values, { languages, ...choices }: Choices): Change {
  const contact = {
    name: orNull(values['contact.name']),
    email: orNull(values['contact.email']),
    phone: orNull(values['contact.phone']),
  };
  const addresses = toAddresses(values.faultAddresses);
  const hasContact = Object.values(contact).some((value) => value !== null);
  return {
    displayName: orNull(values.displayName),
    publicName: orNull(values.publicName),
    contact: hasContact ? contact : null,
    faultAddresses: addresses.length > 0 ? addresses : null,
    languages: languages.split(' ') as ('en' | 'es')[],
    ...choices,
  };
}
