import { useEffect, useState } from 'react';
import { Icon } from '../../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { PageLink } from './page-link.tsx';
import './copy-button.css';

interface CopyButtonProps {
  text: string;
  /** Names for screen readers what is copied, such as "the key". */
  subject: string;
  /** An icon alone, beside an id in a row. */
  compact?: boolean;
}

const SHOWN_MS = 2000;

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ text, subject, compact = false }: CopyButtonProps) {
  const { common } = useWords();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <span className="copy">
      <button
        type="button"
        className={compact ? 'copy-button copy-compact' : 'copy-button'}
        aria-label={common.copySubject(subject)}
        onClick={() => void copy()}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
        {!compact && <span>{isCopied ? common.copied : common.copy}</span>}
      </button>
      <span role="status" className="hidden-visually">
        {isCopied ? common.copied : ''}
      </span>
    </span>
  );
}

interface IdProps {
  id: string;
  subject: string;
  /** The page of what has it. */
  to?: string | null;
}

/** An id, in a list in short, with a button that copies all of it. */
export function Id({ id, subject, to = null }: IdProps) {
  const code = (
    <code title={id}>
      <bdi>{id}</bdi>
    </code>
  );
  return (
    <span className="id">
      {to === null ? code : <PageLink to={to}>{code}</PageLink>}
      <CopyButton compact text={id} subject={subject} />
    </span>
  );
}
