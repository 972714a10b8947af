import { Notice } from '../../../kit/notice.tsx';
import { useConsole } from '../api/use-console.ts';
import { useWords } from '../words/use-words.ts';

/** Says, where somebody is about to send a mail, that this service sends none, and what to do. */
export function MailsKept() {
  const { mails } = useWords();
  const { keepsMails } = useConsole();
  if (!keepsMails) return null;
  return (
    <Notice kind="warning">
      <p>
        <strong>{mails.keptTitle}</strong> {mails.kept}
      </p>
    </Notice>
  );
}
