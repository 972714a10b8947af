import type { MouseEvent } from 'react';
import { Emblem } from '../../../look/emblem.tsx';
import { Screen } from '../screen.tsx';
import type { Step } from '../step.ts';
import { useWords } from '../words/language.tsx';

/** A link that the service does not take any more, or that this page has forgotten since it was loaded again. */
export function LinkGone({ reason }: { reason: 'used' | 'reloaded' }) {
  const { link } = useWords();
  const used = reason === 'used';
  return (
    <Screen
      name={used ? 'link-gone' : 'link-reloaded'}
      title={used ? link.goneTitle : link.reopenTitle}
      above={<Emblem icon={used ? 'clock' : 'mail'} />}
      lead={used ? link.gone : link.reopen}
    >
      <a className="button button-plain" href="#/" onClick={askForNewOne}>
        {link.newOne}
      </a>
    </Screen>
  );
}

/** Straight to the form that mails one. */
function askForNewOne(click: MouseEvent): void {
  click.preventDefault();
  history.pushState({ at: 'forgotten-password' } satisfies Step, '', '#/');
  dispatchEvent(new PopStateEvent('popstate'));
}
