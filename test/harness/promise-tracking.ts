import asyncHooks, { type AsyncHook } from 'node:async_hooks';

let hook: AsyncHook | undefined;

/**
 * Keeps the hook by which node:test follows every promise to the test that made it; called before node:test is loaded. A
 * million awaits take 1.6 CPU-seconds under this hook and 0.1 without, while all that needs it is the registration of
 * suites and tests across an `await`, and the name of the test in the report of an error that nobody caught.
 */
export function keepTrackingHook(): void {
  const { createHook } = asyncHooks;
  asyncHooks.createHook = (callbacks) => {
    asyncHooks.createHook = createHook;
    return (hook = createHook(callbacks));
  };
}

/** For the time in which tests are registered. */
export const trackPromises = (): void => void hook?.enable();

/** For the time in which they run: an error that nobody caught fails the process instead of a test. */
export const ignorePromises = (): void => void hook?.disable();
