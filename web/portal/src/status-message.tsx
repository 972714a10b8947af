import { Notice } from '../../kit/notice.tsx';
import './status-message.css';

/**
 * Shows and announces what has been done. The region is always present: one that appears together with its text is not
 * read out.
 */
export function StatusMessage({ text }: { text: string | null }) {
  return (
    <div role="status" className="done">
      {text !== null && <Notice>{text}</Notice>}
    </div>
  );
}
