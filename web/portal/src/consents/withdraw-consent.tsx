import type { Consent } from '../api.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import { useLanguage } from '../words/use-words.ts';
import { formatList } from '../../../kit/format-list.ts';
import { ConfirmButton } from '../confirm-button.tsx';

export function WithdrawConsent({ consent, withdraw }: { consent: Consent; withdraw: () => Promise<void> }) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const { organization, project } = consent;
  const connected = consent.apps.filter((app) => app.connected);
  const names = [...new Set(connected.map((app) => formatClientName(app, words)))];
  return (
    <ConfirmButton
      label={myData.stop}
      subject={myData.stopWith(organization.name, project.name)}
      title={myData.stopTitle(organization.name)}
      confirmLabel={myData.yesStop}
      cancelLabel={myData.keep}
      onConfirm={withdraw}
    >
      <p>{names.length === 0 ? myData.noneReads : myData.appsStop(formatList(names, language))}</p>
      <p>{myData.notTakenBack}</p>
    </ConfirmButton>
  );
}
