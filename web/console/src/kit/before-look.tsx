import { useState, type ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';

interface BeforeLookProps {
  /** Whose entries would be shown; null: nobody's alone, and nothing is asked. */
  subject: string | null;
  text: string;
  show: string;
  children: ReactNode;
}

/** Says that a patient sees the look, before it is made: what it shows is loaded by a click. */
export function BeforeLook({ subject, text, show, children }: BeforeLookProps) {
  const [agreedFor, setAgreedFor] = useState<string | null>(null);
  if (subject === null || subject === agreedFor) return children;
  return (
    <Notice>
      <div className="stack">
        <p>{text}</p>
        <div>
          <Button variant="strong" onPress={() => setAgreedFor(subject)}>
            {show}
          </Button>
        </div>
      </div>
    </Notice>
  );
}
