import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import type { signOutOfConsole } from '../../../../contract/console/console.ts';
import { useConsole } from '../api/use-console.ts';
import { PageLink } from '../kit/page-link.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';

/** Who is signed in: profile, language, zone, sign out. A list of links and buttons that opens and closes. */
export function MemberMenu({ onHelp }: { onHelp: () => void }) {
  const { words } = useLanguage();
  const { member } = useConsole();
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closeOutside = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
  };
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setIsOpen(false);
    opener.current?.focus();
  };
  return (
    // Its keys and focus are those of the buttons within.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="menu" onBlur={closeOutside} onKeyDown={closeByKey}>
      <button
        ref={opener}
        type="button"
        className="menu-opener"
        aria-expanded={isOpen}
        aria-label={words.nav.member(member.name)}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="menu-letter" aria-hidden="true">
          {member.name.slice(0, 1).toUpperCase()}
        </span>
        <Icon name="more" />
      </button>
      {isOpen && <MenuItems onHelp={onHelp} onChosen={() => setIsOpen(false)} />}
    </div>
  );
}

function MenuItems({ onHelp, onChosen }: { onHelp: () => void; onChosen: () => void }) {
  const { words, language, chooseLanguage } = useLanguage();
  const { plainCall, baseUrl } = useConsole();
  const { isUtc, setUtc } = useTimeZone();
  const other = language === 'en' ? 'es' : 'en';
  const signOut = async () => {
    await plainCall<typeof signOutOfConsole>('POST /console/sign-out');
    // Nothing of the page is kept for whoever sits down next.
    location.reload();
  };
  const choose = (act: () => void) => () => {
    onChosen();
    act();
  };
  return (
    // A press within it is not to take the focus out of it first, which would close it: Safari focuses no buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="menu-sheet" onMouseDown={(event) => event.preventDefault()}>
      <Person />
      <ul>
        <li>
          <PageLink to="/profile" onClick={onChosen}>
            {words.pages.profile}
          </PageLink>
        </li>
        <li>
          <button type="button" lang={other} onClick={choose(() => chooseLanguage(other))}>
            {words.common.otherLanguage}
          </button>
        </li>
        <li>
          <button type="button" aria-pressed={isUtc} onClick={() => setUtc(!isUtc)}>
            {words.nav.utc}
            {isUtc && <Icon name="check" />}
          </button>
        </li>
        <li>
          <a href={`${baseUrl}/docs/console`}>{words.nav.guide}</a>
        </li>
        <li>
          <button type="button" onClick={choose(onHelp)}>
            {words.nav.help} <kbd>?</kbd>
          </button>
        </li>
        <li>
          <button type="button" onClick={() => void signOut()}>
            {words.nav.signOut}
          </button>
        </li>
      </ul>
    </div>
  );
}

function Person() {
  const { roles } = useWords();
  const { member, organization } = useConsole();
  return (
    <p className="menu-person">
      <strong>{member.name}</strong>
      <span className="soft small">{member.email}</span>
      <span className="soft small">
        {roles[member.role]} · {organization.name}
      </span>
    </p>
  );
}
