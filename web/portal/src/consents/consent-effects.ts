import { formatClientName } from '../../../patient/client-name.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { EnrollmentInvitation } from '../../../../contract/account/enrollments.ts';
import type { MyConsent as Consent } from '../../../../contract/account/my-consents.ts';
import { quoteConsents, type TextContext } from './consent-name.ts';

interface EffectContext extends TextContext {
  /** All consents of the person. */
  consents: readonly Consent[];
}

/** An organization reads under any of its consents that permits reading, whatever the project. */
const permitsReading = ({ consentType }: Consent): boolean => consentType !== 'FUTURE_DATA_USE';

const isSame = (one: Consent, other: Consent): boolean =>
  one.project.id === other.project.id && one.consentType === other.consentType;

const listOthers = (consent: Consent, { consents }: EffectContext): Consent[] =>
  consents.filter(
    (other) =>
      other.status === 'active' &&
      other.organization.name === consent.organization.name &&
      !isSame(other, consent),
  );

/** Lists what ends when a consent is stopped, and what of that organization goes on all the same. */
export function listStopEffects(consent: Consent, context: EffectContext): string[] {
  const { words, language } = context;
  const { stop } = words.myData.consents;
  const organization = formatClientName(consent.organization, words);
  const others = listOthers(consent, context);
  const apps = consent.apps.filter((app) => app.connected).map((app) => formatClientName(app, words));
  const names = formatList([...new Set(apps)], language);
  return [
    consent.consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE' &&
      (apps.length === 0 ? stop.noApp : stop.apps(names)),
    permitsReading(consent)
      ? others.some(permitsReading)
        ? stop.stillReads(organization)
        : stop.organization(organization)
      : stop.later(organization),
    others.length > 0 && stop.goesOn(quoteConsents(others, context)),
    stop.notTakenBack,
  ].filter((text) => text !== false);
}

/** Says what is over after a consent was stopped, and what goes on. */
export function formatStopped(consent: Consent, context: EffectContext): string {
  const { stop, stopped } = context.words.myData.consents;
  const organization = formatClientName(consent.organization, context.words);
  const others = listOthers(consent, context);
  return [
    stopped.done(quoteConsents([consent], context)),
    consent.consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE' && stopped.noApp,
    permitsReading(consent) &&
      (others.some(permitsReading) ? stop.stillReads(organization) : stopped.organization(organization)),
    others.length > 0 && stop.goesOn(quoteConsents(others, context)),
  ]
    .filter((text) => text !== false)
    .join(' ');
}

/** Says which consents may share what is taken out of this one; null: none. */
export function formatUnchanged(consent: Consent, context: EffectContext): string | null {
  const others = permitsReading(consent) ? listOthers(consent, context).filter(permitsReading) : [];
  if (others.length === 0) return null;
  return context.words.myData.consents.change.others(quoteConsents(others, context));
}

export const formatNarrowed = (consent: Consent, context: EffectContext): string =>
  [
    context.words.myData.consents.change.saved(quoteConsents([consent], context)),
    formatUnchanged(consent, context),
  ]
    .filter((text) => text !== null)
    .join(' ');

/** Says of the organization of a consent that an app was disconnected from whether it reads now, and by what. */
export function formatOrganizationReads(consent: Consent, context: EffectContext): string {
  const { myData } = context.words;
  const { stop, stopped } = myData.consents;
  const organization = formatClientName(consent.organization, context.words);
  const isShared = context.consents.some((each) => isSame(each, consent) && each.status === 'active');
  if (isShared) return myData.organizationReads(organization);
  return listOthers(consent, context).some(permitsReading)
    ? stop.stillReads(organization)
    : stopped.organization(organization);
}

/** Says by which other consents an app that is disconnected from this one reads; null: none. */
export function formatAppGoesOn(
  app: Consent['apps'][number],
  consent: Consent,
  context: EffectContext,
): string | null {
  const { words, consents } = context;
  const others = consents.filter(
    (other) =>
      other.status === 'active' &&
      !isSame(other, consent) &&
      other.apps.some(({ clientId, connected }) => connected && clientId === app.clientId),
  );
  if (others.length === 0) return null;
  return words.myData.consents.appGoesOn(formatClientName(app, words), quoteConsents(others, context));
}

/** How more is shared: on the page of an invitation, from an app, or by asking the organization. */
export function findWayToMore(
  { project, consentType }: Consent,
  invitations: readonly EnrollmentInvitation[],
): 'invitation' | 'app' | 'ask' {
  const isAsked = invitations.some(
    ({ studyId, consentTypes }) => studyId === project.id && consentTypes.includes(consentType),
  );
  if (isAsked) return 'invitation';
  return consentType === 'PATIENT_DIRECTED_DATA_EXCHANGE' ? 'app' : 'ask';
}
