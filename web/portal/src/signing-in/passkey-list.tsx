import { Icon } from '../../../kit/icon.tsx';
import type { Passkeys } from '../api.ts';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import { ConfirmButton } from '../confirm-button.tsx';

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
            <p className="soft small">{passkeys.createdOn(formatDay(passkey.createdAt, language))}</p>
            <p className="soft small">
              {passkey.lastUsedAt === null
                ? passkeys.neverUsed
                : passkeys.used(formatDay(passkey.lastUsedAt, language))}
            </p>
          </div>
          <div className="passkey-ways">
            <ConfirmButton
              label={passkeys.remove}
              subject={passkey.name}
              variant="quiet"
              title={passkeys.removeTitle(passkey.name)}
              confirmLabel={passkeys.yesRemove}
              cancelLabel={passkeys.keep}
              onConfirm={async () => remove(passkey)}
            >
              <p>{passkeys.removeText}</p>
            </ConfirmButton>
          </div>
        </li>
      ))}
    </ul>
  );
}
