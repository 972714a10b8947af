const STORAGE_KEY = 'chartgate-console-reloaded';

/**
 * A page that was left open over a deployment asks for files that are gone: it is loaded anew, once a minute at most, so that a
 * file that is missing for another reason does not make it turn round forever.
 */
export function reloadOnNewBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    if (Date.now() - loadTime() < 60_000) return;
    event.preventDefault();
    saveTime();
    location.reload();
  });
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
