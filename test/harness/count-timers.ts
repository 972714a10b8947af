/** Counts the timers of this process that keep it alive. */
export const countTimers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
