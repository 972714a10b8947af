import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { reloadIfServed } from '../reload-on-new-build.ts';
import { useWords } from '../words/use-words.ts';
import { Page } from './page.tsx';

/** A page that failed by a fault of ours, or whose file could not be loaded. The frame around it stays. */
export function Broken({ error }: { error: unknown }) {
  const { states, errors, common } = useWords();
  const [failedAt] = useState(() => new Date().toISOString());
  const [isUnserved, setIsUnserved] = useState(false);
  const retry = async () => setIsUnserved(!(await reloadIfServed()));
  return (
    <Page name="broken" title={states.errorTitle}>
      <div role="alert">
        <Notice kind="warning">
          <p>{isUnserved || isFileError(error) ? errors.unreachable : errors.failed}</p>
          <p className="small">{states.code(error instanceof Error ? error.name : 'Error', failedAt)}</p>
        </Notice>
      </div>
      <div>
        <Button onPress={() => void retry()}>{common.tryAgain}</Button>
      </div>
    </Page>
  );
}

/** What browsers throw of a module that could not be fetched; none of them has a code for it. */
const isFileError = (error: unknown): boolean =>
  error instanceof TypeError && /module|preload|import/i.test(error.message);
