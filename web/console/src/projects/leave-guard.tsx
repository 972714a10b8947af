import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useProjectWords } from './use-project-words.ts';

/** Asks before somebody goes to another page while what they wrote is not published. Tabs of the page keep it. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const words = useProjectWords();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={words.leaveTitle}
      confirm={words.leave}
      danger
      onConfirm={async () => blocker.proceed()}
      onClose={blocker.reset}
    >
      <p>{words.leaveText}</p>
    </ConfirmDialog>
  );
}
