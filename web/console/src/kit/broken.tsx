import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { useWords } from '../words/use-words.ts';
import { Page } from './page.tsx';

/** A page that failed by a fault of ours, or whose file could not be loaded. The frame around it stays. */
export function Broken({ error }: { error: unknown }) {
  const { states, errors, common } = useWords();
  const [failedAt] = useState(() => new Date().toISOString());
  return (
    <Page name="broken" title={states.errorTitle}>
      <div role="alert">
        <Notice kind="warning">
          <p>{errors.failed}</p>
          <p className="small">{states.code(error instanceof Error ? error.name : 'Error', failedAt)}</p>
        </Notice>
      </div>
      <div>
        <Button onPress={() => location.reload()}>{common.tryAgain}</Button>
      </div>
    </Page>
  );
}
