import { formatClientName } from '../../../patient/client-name.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { CardProps } from './card-props.ts';
import { findWayToMore, listStopEffects } from './consent-effects.ts';
import { formatConsentName, quoteConsents } from './consent-name.ts';

interface WithdrawConsentProps extends Pick<CardProps, 'consent' | 'consents' | 'invitations'> {
  withdraw: () => Promise<void>;
}

export function WithdrawConsent({ consent, consents, invitations, withdraw }: WithdrawConsentProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const { stop } = myData.consents;
  const changeMind = stop.changeMind[findWayToMore(consent, invitations)];
  return (
    <ConfirmButton
      label={myData.stop}
      subject={formatConsentName(consent, { words, language })}
      title={stop.title(quoteConsents([consent], { words, language }))}
      confirmLabel={myData.yesStop}
      cancelLabel={myData.keep}
      onConfirm={withdraw}
    >
      {listStopEffects(consent, { words, language, consents }).map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>
        {typeof changeMind === 'string'
          ? changeMind
          : changeMind(formatClientName(consent.organization, words))}
      </p>
    </ConfirmButton>
  );
}
