const STORAGE_KEY = 'chartgate-console-reloaded';

/** Whether the page is about to be loaded anew, since a file of it is gone. */
let reloading: Promise<boolean> | undefined;

/**
 * A page that was left open over a deployment asks for files that are gone: it is loaded anew, once a minute at most, so that a
 * file that is missing for another reason does not make it turn round forever.
 */
export function reloadOnNewBuild(): void {
  addEventListener('vite:preloadError', () => {
    reloading ??= reloadOnce();
  });
}

async function reloadOnce(): Promise<boolean> {
  const isReloading = Date.now() - loadTime() >= 60_000 && (await reloadIfServed());
  // Another file may be missed later, when the service is there again.
  if (!isReloading) reloading = undefined;
  return isReloading;
}

/**
 * Loads the page anew if the service answers; returns whether it does so. While it does not, as in the middle of a deployment,
 * a page that is loaded anew is the browser's own error page, and what was on it is lost.
 */
export async function reloadIfServed(): Promise<boolean> {
  const isServed = await fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isServed) return false;
  saveTime();
  location.reload();
  return true;
}

/** Loads a part of the console; never answers while the page is about to be loaded anew, which shows no failure then. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await reloading) return new Promise(() => {});
    throw error;
  }
}

// A browser may refuse its storage altogether; then nothing is reloaded, and the page says what failed.
function loadTime(): number {
  try {
    return Number(sessionStorage.getItem(STORAGE_KEY));
  } catch {
    return Date.now();
  }
}

function saveTime(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  } catch {
    // Nothing was reloaded then.
  }
}
