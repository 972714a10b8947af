import '../../kit/tokens.css';
import '../../kit/base.css';
import { parseRoute } from './route.ts';

const isPortal = () => parseRoute(location.hash).to === 'portal';

/**
 * Two apps share this address, and a document holds one of them: it is reloaded when the fragment leads to the other.
 */
function startApp(): void {
  const startedPortal = isPortal();
  addEventListener('popstate', () => isPortal() === startedPortal || location.reload());
  // The portal is built apart, into a folder of its own, so that this page depends on none of it.
  if (startedPortal) void import(/* @vite-ignore */ new URL('portal/main.js', document.baseURI).href);
  else void import('./app.tsx').then(({ renderConsentApp }) => renderConsentApp());
}

startApp();
