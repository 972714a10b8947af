import type { Consent } from '../../api/api.ts';
import { clientName } from '../../request/client-name.ts';
import { useLanguage } from '../../words/language.tsx';
import { listOf } from '../../words/list.ts';
import { AskFirst } from '../ask-first.tsx';

export function StopSharing({ consent, stop }: { consent: Consent; stop: () => Promise<void> }) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const { organization, project } = consent;
  const connected = consent.apps.filter((app) => app.connected);
  const names = [...new Set(connected.map((app) => clientName(app, words)))];
  return (
    <AskFirst
      button={myData.stop}
      of={myData.stopWith(organization.name, project.name)}
      title={myData.stopTitle(organization.name)}
      yes={myData.yesStop}
      no={myData.keep}
      work={stop}
    >
      <p>{names.length === 0 ? myData.noneReads : myData.appsStop(listOf(names, language))}</p>
      <p>{myData.notTakenBack}</p>
    </AskFirst>
  );
}
