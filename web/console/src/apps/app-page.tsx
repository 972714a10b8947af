import { useState } from 'react';
import type { ClientDetail, getClient } from '../../../../contract/organization/clients.ts';
import { Button } from '../../../kit/button.tsx';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Page } from '../kit/page.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { canBeVouchedFor, formatAppName } from './app-names.tsx';
import { AppReads } from './app-reads.tsx';
import { Connections, Judgement, Registrations, SeenByPatients } from './app-sections.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { TakeBackDialog } from './take-back-dialog.tsx';
import { useAppWords } from './use-app-words.ts';
import { VouchDialog } from './vouch-dialog.tsx';

const TARGET = 'GET /v1/organizations/{orgId}/clients/{clientId}';

/** One app: what patients see of it, how it stands, and what the organization thinks of it. */
export function AppPage() {
  const words = useAppWords();
  const clientId = usePathParameter('clientId');
  const curl = useCurl();
  const params = { clientId };
  const query = useData<typeof getClient>(TARGET, { params });
  const app = query.data;
  return (
    <Page
      name="app"
      title={app === undefined ? words.title : formatAppName(app, words)}
      above={<PageLink to="/apps">{words.back}</PageLink>}
      actions={
        <>
          {app && <Actions app={app} />}
          <AsCurl command={curl<typeof getClient>(TARGET, { params })} />
        </>
      }
    >
      <States query={query}>
        {(detail) => (
          <div className="stack stack-wide">
            <SeenByPatients app={detail} />
            <Judgement app={detail} />
            <AppReads app={detail} />
            <Connections connections={detail.connections} />
            <Registrations registrations={detail.registrations} />
          </div>
        )}
      </States>
    </Page>
  );
}

const DIALOGS = { vouch: VouchDialog, block: BlockDialog, takeBack: TakeBackDialog } as const;

function Actions({ app }: { app: ClientDetail }) {
  const { actions } = useAppWords();
  const mayManage = usePermission('clients.manage');
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  if (!mayManage) return null;
  const Dialog = open === null ? null : DIALOGS[open];
  return (
    <>
      {app.judgement === 'new' && canBeVouchedFor(app) && (
        <Button onPress={() => setOpen('vouch')}>{actions.vouch}</Button>
      )}
      {app.judgement !== 'new' && (
        <Button onPress={() => setOpen('takeBack')}>
          {app.judgement === 'blocked' ? actions.unblock : actions.unvouch}
        </Button>
      )}
      {app.judgement !== 'blocked' && (
        <Button variant="danger" onPress={() => setOpen('block')}>
          {actions.block}
        </Button>
      )}
      {Dialog && <Dialog app={app} onClose={() => setOpen(null)} />}
    </>
  );
}
