import type { ReadingConsent } from '../../../../contract/account/consent.ts';
import type { EnrollmentConsent } from '../../../../contract/account/enrollments.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import { quoteConsents, type TextContext } from './consent-name.ts';

interface Asking {
  organization: { name: string };
  asked: readonly { reason: NonNullable<EnrollmentConsent['asked']> }[];
  /** Of a node of the version before: not known. */
  reading?: readonly ReadingConsent[];
}

/**
 * Says why an organization asks, and what it reads meanwhile: nothing where no yes is in force, else by which others it does,
 * whatever is answered.
 */
export function formatAskReasons({ organization, asked, reading }: Asking, context: TextContext): string[] {
  const { asked: words, consents } = context.words.myData;
  const name = formatClientName(organization, context.words);
  const reasons = [...new Set(asked.map(({ reason }) => reason))];
  const isOver = reasons.find((reason) => reason === 'new' || reason === 'expired');
  const others = (reading ?? []).map((each) => ({ ...each, organization }));
  return reasons.map((reason) => {
    if (reading === undefined || reason !== isOver) return words.reasons[reason];
    const meanwhile =
      others.length === 0
        ? words.readsNothing[reason](name)
        : consents.stillReadsBy(name, quoteConsents(others, context));
    return `${words.reasons[reason]} ${meanwhile}`;
  });
}
