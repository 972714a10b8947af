import { useEffect, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { useSignInWords } from '../words/use-sign-in-words.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  done: string;
  onDone: () => void;
}

/** The codes, shown once; whoever goes on says that they are stored. */
export function RecoveryCodes({ codes, done, onDone }: RecoveryCodesProps) {
  const { setup } = useSignInWords();
  const [isStored, setIsStored] = useState(false);
  // No router is here yet, so that Back leaves the document: the browser asks before it does.
  useEffect(() => {
    if (isStored) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, [isStored]);
  return (
    <div className="stack">
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="page-actions">
        <CopyButton text={codes.join('\n')} subject={setup.recoveryCodes} />
        <Button variant="quiet" onPress={() => print()}>
          {setup.print}
        </Button>
      </div>
      <Checkbox label={setup.storedCodes} checked={isStored} onChange={setIsStored} />
      <Button variant="strong" disabled={!isStored} onPress={onDone}>
        {done}
      </Button>
    </div>
  );
}
