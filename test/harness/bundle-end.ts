const actions: (() => Promise<void>)[] = [];

/** Runs an action when the last file of this process has ended: for what its files share. */
export const onBundleEnd = (action: () => Promise<void>): void => void actions.push(action);

export async function endBundle(): Promise<void> {
  for (const action of actions.splice(0)) await action();
}
