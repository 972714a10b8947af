import { useRef, useState } from 'react';
import { Notice } from '../../../../look/notice.tsx';
import { browserKnowsPasskeys } from '../../account/passkey.ts';
import { PersonCard } from '../../account/person-card.tsx';
import { SignOut } from '../../account/sign-out.tsx';
import type { Passkeys } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { Done } from '../done.tsx';
import { SectionFailed } from '../section-failed.tsx';
import { useAsMe, useMine, type Mine } from '../use-mine.ts';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyList } from './passkey-list.tsx';
import './signing-in.css';

/** The ways to sign in, and the way out. */
export function SigningIn(mine: Mine) {
  const { parts, passkeys } = useWords().myData;
  return (
    <Screen
      name="my-data-signing-in"
      title={parts['signing-in'].title}
      above={<BackToMyData />}
      lead={passkeys.lead}
    >
      <YourPasskeys {...mine} />
      <section className="aside">
        <h2>{passkeys.withPassword}</h2>
        <p>{passkeys.passwordText}</p>
        <PersonCard person={mine.person} />
        <div>
          <SignOut onSignedOut={mine.reload} />
        </div>
      </section>
    </Screen>
  );
}

interface Outcome {
  what: 'added' | 'removed';
  name: string;
}

function YourPasskeys(mine: Mine) {
  const { api } = usePage();
  const { passkeys } = useWords().myData;
  const { asked, load } = useMine(api.passkeys, mine);
  const asMe = useAsMe(mine);
  const [done, setDone] = useState<Outcome | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const finish = async (now: Outcome) => {
    setDone(now);
    heading.current?.focus();
    await load();
  };
  return (
    <section className="stack">
      <h2 ref={heading} tabIndex={-1}>
        {passkeys.yours}
      </h2>
      <div>
        <Done text={done && passkeys[done.what](done.name)} />
        {asked.state === 'loading' && <Loading />}
        {asked.state === 'troubled' && <SectionFailed trouble={asked.trouble} onRetry={() => void load()} />}
        {asked.state === 'known' && (
          <div className="stack">
            <PasskeyList
              list={asked.answer.passkeys}
              remove={async ({ id, name }) => {
                if (await asMe(() => api.removePasskey({ id }))) await finish({ what: 'removed', name });
              }}
            />
            <Adding mine={mine} known={asked.answer} onAdded={(name) => finish({ what: 'added', name })} />
          </div>
        )}
      </div>
    </section>
  );
}

interface AddingProps {
  mine: Mine;
  known: Passkeys;
  onAdded: (name: string) => Promise<void>;
}

/** The way to another one, or why there is none. */
function Adding({ mine, known, onAdded }: AddingProps) {
  const { passkeys } = useWords().myData;
  if (mine.person.isTestPatient) return <Notice>{passkeys.testPatient}</Notice>;
  if (!known.possible) return <Notice>{passkeys.notHere}</Notice>;
  if (!browserKnowsPasskeys()) return <Notice>{passkeys.notThisBrowser}</Notice>;
  return <AddPasskey mine={mine} onAdded={onAdded} />;
}
