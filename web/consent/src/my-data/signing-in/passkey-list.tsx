import { Icon } from '../../../../look/icon.tsx';
import type { Passkeys } from '../../api/api.ts';
import { dayOf } from '../../words/day.ts';
import { useLanguage } from '../../words/language.tsx';
import { AskFirst } from '../ask-first.tsx';

type Passkey = Passkeys['passkeys'][number];

interface PasskeyListProps {
  list: readonly Passkey[];
  remove: (passkey: Passkey) => Promise<void>;
}

export function PasskeyList({ list, remove }: PasskeyListProps) {
  const { words, language } = useLanguage();
  const { passkeys } = words.myData;
  if (list.length === 0) return <p>{passkeys.none}</p>;
  return (
    <ul className="passkeys">
      {list.map((passkey) => (
        <li key={passkey.id} className="passkey">
          <span className="passkey-icon">
            <Icon name="key" />
          </span>
          <div>
            <p className="passkey-name">{passkey.name}</p>
            <p className="soft small">{passkeys.made(dayOf(passkey.createdAt, language))}</p>
            <p className="soft small">
              {passkey.lastUsedAt === null
                ? passkeys.neverUsed
                : passkeys.used(dayOf(passkey.lastUsedAt, language))}
            </p>
          </div>
          <div className="passkey-ways">
            <AskFirst
              button={passkeys.remove}
              of={passkey.name}
              look="quiet"
              title={passkeys.removeTitle(passkey.name)}
              yes={passkeys.yesRemove}
              no={passkeys.keep}
              work={async () => remove(passkey)}
            >
              <p>{passkeys.removeText}</p>
            </AskFirst>
          </div>
        </li>
      ))}
    </ul>
  );
}
