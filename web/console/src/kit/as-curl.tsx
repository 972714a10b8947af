import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { useWords } from '../words/use-words.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A button that shows the call of the API which does the same; `command` comes from `useCurl` or a list. */
export function AsCurl({ command }: { command: string }) {
  const { curl } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onPress={() => setIsOpen(true)}>
        {curl.show}
      </Button>
      {isOpen && (
        <Dialog title={curl.title} onClose={() => setIsOpen(false)} wide>
          <p>{curl.lead}</p>
          {/* It scrolls by itself where it is long, so it has to take the focus. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className="code" tabIndex={0} role="region" aria-label="curl">
            {command}
          </pre>
          <div className="dialog-buttons">
            <CopyButton text={command} subject="curl" />
          </div>
        </Dialog>
      )}
    </>
  );
}
