import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { useWords } from '../words/use-words.ts';
import { Code } from './code.tsx';
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
          <Code label="curl" text={command} />
          <div className="dialog-buttons">
            <CopyButton text={command} subject="curl" />
          </div>
        </Dialog>
      )}
    </>
  );
}
