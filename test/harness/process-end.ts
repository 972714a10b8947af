/** Much longer than what was closed takes to be gone, such as a browser, on a machine whose cores are all busy. */
const LEFT_OPEN_MS = 120_000;

const actions: (() => Promise<void>)[] = [];

/** Runs an action when the last file of this process has ended: for what its files share. */
export const onProcessEnd = (action: () => Promise<void>): void => void actions.push(action);

export async function endShared(): Promise<void> {
  // The last service of a process gives its store back, which has its own end then.
  for (let action = actions.shift(); action !== undefined; action = actions.shift()) await action();
  setTimeout(endLeftovers, LEFT_OPEN_MS).unref();
}

/** Ends, as a failure, a process that would stay for what a test left open: a store, a listener, a program it started. */
function endLeftovers(): void {
  const kinds = [...new Set(process.getActiveResourcesInfo())].join(', ');
  console.error(
    `All files of this process have ended, and it was ended too: a test, most likely one that failed, left open ${kinds}`,
  );
  process.exit(1);
}
