import { createRoot } from 'react-dom/client';
import '../../kit/tokens.css';
import '../../kit/base.css';
import { createApi } from './api/api.ts';
import { createCall } from './api/call.ts';
import { App } from './app.tsx';
import { createEvidence } from './evidence/evidence.ts';
import { createInteractionLog } from './interaction-log.ts';
import { AppProvider } from './app-deps.ts';
import { LanguageProvider } from './words/language.tsx';

// The page is served at {root}/consent/.
const baseUrl = location.origin + location.pathname.replace(/\/consent(\/.*)?$/, '');
const container = document.getElementById('page');
if (container === null) throw new Error('index.html has no #page.');

const deps = {
  baseUrl,
  api: createApi(createCall(baseUrl)),
  interactionLog: createInteractionLog(),
  evidence: createEvidence(container),
};

createRoot(container).render(
  <AppProvider value={deps}>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </AppProvider>,
);
