import type { MouseEvent } from 'react';
import { Emblem } from '../../../kit/emblem.tsx';
import { Screen } from '../../../patient/screen.tsx';
import type { Step } from '../../../patient/step.ts';
import { useWords } from '../words/use-words.ts';

/** Shown for a link that the service no longer accepts, or whose token was lost when the page was reloaded, or that this page may have used. */
export function LinkExpired({ reason }: { reason: keyof typeof SCREENS }) {
  const { link, start } = useWords();
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
        {reason === 'perhaps-done' && (
          <a className="button button-strong" href="#/" onClick={leadTo('sign-in')}>
            {start.signIn}
          </a>
        )}
        <a className="button button-plain" href="#/" onClick={leadTo('forgotten-password')}>
          {link.requestNew}
        </a>
      </div>
    </Screen>
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
