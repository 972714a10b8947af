import { createRoot } from 'react-dom/client';
import '../../look/tokens.css';
import '../../look/base.css';
import { apiOf } from './api/api.ts';
import { caller } from './api/call.ts';
import { App } from './app.tsx';
import { startEvidence } from './evidence/evidence.ts';
import { startJournal } from './journal.ts';
import { PageProvider } from './page.ts';
import { LanguageProvider } from './words/language.tsx';

// The page is served at {root}/consent/.
const root = location.origin + location.pathname.replace(/\/consent(\/.*)?$/, '');
const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no #page.');

const page = {
  root,
  api: apiOf(caller(root)),
  journal: startJournal(),
  evidence: startEvidence(place),
};

createRoot(place).render(
  <PageProvider value={page}>
    <LanguageProvider>
      <App />
    </LanguageProvider>
  </PageProvider>,
);
