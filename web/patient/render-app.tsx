import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { guardDoubleClick } from '../kit/guard-double-click.ts';
import { LanguageProvider } from '../kit/language.tsx';
import type { Language } from '../kit/languages.ts';
import { type AccountApi, AccountApiProvider } from './account-api.ts';
import { BrandProvider } from './brand.tsx';
import { Frame } from './frame.tsx';
import type { PatientWords } from './words/en.ts';

interface AppOptions {
  container: HTMLElement;
  dictionaries: Readonly<Record<Language, PatientWords>>;
  accountApi: AccountApi;
  children: ReactNode;
}

/** Renders an app of the patient: its language, the frame around every screen, and what signing in needs. */
export function renderApp({ container, dictionaries, accountApi, children }: AppOptions): void {
  guardDoubleClick();
  createRoot(container).render(
    <AccountApiProvider value={accountApi}>
      <LanguageProvider dictionaries={dictionaries}>
        <BrandProvider baseUrl={getBaseUrl()}>
          <Frame>{children}</Frame>
        </BrandProvider>
      </LanguageProvider>
    </AccountApiProvider>,
  );
}

/** The element of index.html that an app is rendered into. */
export function getContainer(): HTMLElement {
  const container = document.getElementById('page');
  if (container === null) throw new Error('index.html has no #page.');
  return container;
}

/** The service's address, without a trailing slash: the page is served at {baseUrl}/consent/. */
export const getBaseUrl = (): string => location.origin + location.pathname.replace(/\/consent(\/.*)?$/, '');
