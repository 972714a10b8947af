import { Notice } from '../../kit/notice.tsx';
import './status-message.css';

/** What has been done, for eyes and ears. There from the start, since what appears together with its region is not read out. */
export function StatusMessage({ text }: { text: string | null }) {
  return (
    <div role="status" className="done">
      {text !== null && <Notice>{text}</Notice>}
    </div>
  );
}
