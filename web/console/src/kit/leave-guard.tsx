import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface LeaveGuardProps {
  isUnfinished: boolean;
  words: { leaveTitle: string; leaveText: string; leave: string };
}

/** Asks before somebody goes to another page while what they wrote is kept nowhere else. Tabs of the page keep it. */
export function LeaveGuard({ isUnfinished, words }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnfinished && current.pathname !== next.pathname,
    enableBeforeUnload: isUnfinished,
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
