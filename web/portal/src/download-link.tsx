import { type MouseEvent, type ReactNode, useState } from 'react';
import { useTask } from '../../kit/task.ts';
import { toFailure } from '../../patient/failure.ts';
import { formatFailure } from '../../patient/format-failure.ts';
import { useAppDeps } from './app-deps.ts';
import { useGuardedAction, usePerson } from './person-query.ts';
import { useLanguage } from './words/use-words.ts';

interface DownloadLinkProps {
  /** Of the service, such as `/account/download`. */
  path: string;
  className?: string;
  /** What is said from the press on, of a file that takes long to begin. */
  begins?: string;
  children: ReactNode;
}

/**
 * A link to a file, which the browser writes while it arrives, however large it is. A browser says nothing of a file that is
 * refused, so whose session it is, is asked first: whoever was signed out, or is somebody else by now, is shown that.
 */
export function DownloadLink({ path, className, begins, children }: DownloadLinkProps) {
  const { baseUrl } = useAppDeps();
  const { words, language } = useLanguage();
  const runGuarded = useGuardedAction(usePerson());
  const { busy, refusal, run } = useTask();
  const [hasBegun, setHasBegun] = useState(false);
  const href = `${baseUrl}${path}`;
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    run(async () => {
      if (await runGuarded(async () => startDownload(href))) setHasBegun(true);
    });
  };
  return (
    <>
      <a className={className} href={href} download onClick={onClick}>
        {children}
      </a>
      {refusal && (
        <span role="alert" className="field-error">
          {formatFailure(toFailure(refusal), words, language)}
        </span>
      )}
      {begins !== undefined && (
        <p role="status" className="soft small">
          {hasBegun && begins}
        </p>
      )}
    </>
  );
}

/** As a press on a link does it: the page stays. */
function startDownload(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
