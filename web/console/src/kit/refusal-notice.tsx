import { useState } from 'react';
import type { Refusal } from '../../../kit/http/refusal.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useLanguage } from '../words/use-words.ts';
import { describeInputFault } from './describe-input-fault.ts';
import { describeRefusal } from './describe-refusal.ts';

interface RefusalNoticeProps {
  refusal: Refusal;
  /** What the page says of its own codes, such as `{ last_owner: words.lastOwner }`. */
  texts?: Readonly<Record<string, string>> | undefined;
}

/** Says why something failed, with what support needs to find it. */
export function RefusalNotice({ refusal, texts }: RefusalNoticeProps) {
  const { words, language } = useLanguage();
  const text = texts?.[refusal.code] ?? describeRefusal(refusal, words, language);
  const [failedAt] = useState(() => new Date().toISOString());
  return (
    <div role="alert">
      <Notice kind="warning">
        <p>{text}</p>
        {refusal.errors.length > 0 && (
          <ul>
            {refusal.errors.map(({ path, message }) => (
              <li key={path + message}>
                <code>{path}</code> {describeInputFault(message, words) ?? <span lang="en">{message}</span>}
              </li>
            ))}
          </ul>
        )}
        <p className="small">{words.states.code(refusal.code || String(refusal.status), failedAt)}</p>
      </Notice>
    </div>
  );
}
