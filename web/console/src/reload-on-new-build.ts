const STORAGE_KEY = 'chartgate-console-reloaded';

let isReloading = false;

/**
 * A page that was left open over a deployment asks for files that are gone: it is loaded anew, once a minute at most, so that a
 * file that is missing for another reason does not make it turn round forever.
 */
export function reloadOnNewBuild(): void {
  addEventListener('vite:preloadError', () => {
    if (isReloading || Date.now() - loadTime() < 60_000) return;
    isReloading = true;
    saveTime();
    location.reload();
  });
}

/** Loads a part of the console; never answers while the page is about to be loaded anew, which shows no failure then. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (isReloading) return new Promise(() => {});
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
