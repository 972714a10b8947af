import tty from 'node:tty';

interface HangUpActions {
  /** What it was started in is gone: a window was closed, a connection to another machine lost. */
  stop(): void;
  /** Somebody asks by a signal to take up what has changed. */
  reload(): void;
}

/** What a shell says of a process that this signal has ended. */
const ENDED_BY_HANG_UP = 129;

export interface HangUps {
  /** Says what to do from now on, since the service serves. */
  serve(actions: HangUpActions): void;
}

const BEFORE_SERVING: HangUpActions = {
  stop: () => process.exit(ENDED_BY_HANG_UP),
  reload: () => void process.stderr.write('chartgate: SIGHUP has no effect before the start is complete\n'),
};

/**
 * Sees to SIGHUP from now on; until then it ends the process. It has two meanings: the terminal is gone, and (`ExecReload` of systemd,
 * `kill -HUP`) settings have changed. A terminal that is gone is none any more, and who runs under nohup has none.
 */
export function handleHangUps(isTerminal: (fd: number) => boolean = tty.isatty): HangUps {
  const terminals = [0, 1, 2].filter(isTerminal);
  let actions = BEFORE_SERVING;
  process.on('SIGHUP', () => {
    const isTerminalGone = terminals.length > 0 && !terminals.some(isTerminal);
    if (isTerminalGone) ignoreLostOutput();
    actions[isTerminalGone ? 'stop' : 'reload']();
  });
  return { serve: (next) => void (actions = next) };
}

/** What is written to a terminal that is gone fails, and would end the process in the middle of its stop. */
function ignoreLostOutput(): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
  });
}
