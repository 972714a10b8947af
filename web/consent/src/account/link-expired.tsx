import { useCallback, type MouseEvent } from 'react';
import { useQuery } from '../../../kit/query.ts';
import { useAccountApi } from '../../../patient/account-api.ts';
import { Emblem } from '../../../kit/emblem.tsx';
import { Screen } from '../../../patient/screen.tsx';
import type { Step } from '../../../patient/step.ts';
import { MyDataLink } from '../my-data-link.tsx';
import { useWords } from '../words/use-words.ts';

/** Shown for a link that the service no longer accepts, or whose token was lost when the page was reloaded, or that this page may have used. */
export function LinkExpired({ reason }: { reason: keyof typeof SCREENS }) {
  const { link } = useWords();
  const { icon, title, lead } = SCREENS[reason];
  const isReloaded = reason === 'reloaded';
  return (
    <Screen
      name={isReloaded ? 'link-reloaded' : 'link-gone'}
      title={link[title]}
      above={<Emblem icon={icon} />}
      lead={link[lead]}
    >
      <div className="buttons">
        {!isReloaded && <WayOn />}
        <a className="button button-plain" href="#/" onClick={leadTo('forgotten-password')}>
          {link.requestNew}
        </a>
      </div>
    </Screen>
  );
}

/** For who has used the link before. The button is there for anybody, so that it does not show whether the address has an account. */
export function WayOn() {
  const { start } = useWords();
  const accountApi = useAccountApi();
  const { query } = useQuery(useCallback(() => accountApi.getSession(), [accountApi]));
  if (query.state === 'loaded' && query.data.person !== null) return <MyDataLink />;
  return (
    <a className="button button-strong" href="#/" onClick={leadTo('sign-in')}>
      {start.signIn}
    </a>
  );
}

const SCREENS = {
  used: { icon: 'clock', title: 'expiredTitle', lead: 'expired' },
  reloaded: { icon: 'mail', title: 'reopenTitle', lead: 'reopen' },
  'perhaps-done': { icon: 'clock', title: 'expiredTitle', lead: 'perhapsDone' },
} as const;

/** Leads straight to the form: of signing in, or the one that mails a new link. */
const leadTo =
  (at: 'sign-in' | 'forgotten-password') =>
  (click: MouseEvent): void => {
    click.preventDefault();
    history.pushState({ at } satisfies Step, '', '#/');
    dispatchEvent(new PopStateEvent('popstate'));
  };
