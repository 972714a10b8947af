import { type ReactNode, useState } from 'react';
import { Checkbox } from '../../kit/choice.tsx';
import { formatDay } from '../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';

/**
 * Offers to remove the passkeys that would go on signing in under a new password; that is chosen until somebody says otherwise.
 * `fields` belongs into the form, and is null where there is none.
 */
export function useOldPasskeys(passkeys: readonly { name: string; createdAt: string }[]): {
  fields: ReactNode;
  keepPasskeys: boolean;
} {
  const { words, language } = useLanguage();
  const { oldPasskeys } = words;
  const [areRemoved, setAreRemoved] = useState(true);
  const fields = passkeys.length > 0 && (
    <div className="stack">
      <p>{oldPasskeys.lead}</p>
      <ul>
        {passkeys.map(({ name, createdAt }) => (
          <li key={`${createdAt} ${name}`}>{oldPasskeys.item(name, formatDay(createdAt, language))}</li>
        ))}
      </ul>
      <Checkbox
        label={passkeys.length === 1 ? oldPasskeys.remove.one : oldPasskeys.remove.many}
        hint={oldPasskeys.hint}
        checked={areRemoved}
        onChange={setAreRemoved}
      />
    </div>
  );
  return { fields, keepPasskeys: !areRemoved };
}
