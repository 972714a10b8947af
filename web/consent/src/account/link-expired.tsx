import type { MouseEvent } from 'react';
import { Emblem } from '../../../kit/emblem.tsx';
import { Screen } from '../../../patient/screen.tsx';
import type { Step } from '../../../patient/step.ts';
import { useWords } from '../words/use-words.ts';

/** Shown for a link that the service no longer accepts, or whose token was lost when the page was reloaded. */
export function LinkExpired({ reason }: { reason: 'used' | 'reloaded' }) {
  const { link } = useWords();
  const used = reason === 'used';
  return (
    <Screen
      name={used ? 'link-gone' : 'link-reloaded'}
      title={used ? link.expiredTitle : link.reopenTitle}
      above={<Emblem icon={used ? 'clock' : 'mail'} />}
      lead={used ? link.expired : link.reopen}
    >
      <a className="button button-plain" href="#/" onClick={requestNewLink}>
        {link.requestNew}
      </a>
    </Screen>
  );
}

/** Leads straight to the form that mails a new link. */
function requestNewLink(click: MouseEvent): void {
  click.preventDefault();
  history.pushState({ at: 'forgotten-password' } satisfies Step, '', '#/');
  dispatchEvent(new PopStateEvent('popstate'));
}
