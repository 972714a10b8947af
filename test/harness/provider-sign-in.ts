import assert from 'node:assert/strict';
import type { IdentityProvider, ProviderPerson } from './identity-provider.ts';
import { createConsoleBrowser, type ConsoleBrowser } from './member.ts';
import type { HttpResponse, TestService } from './service.ts';

/** The settings by which a service on a port lets in people of a provider. */
export const getProviderEnvironment = (
  { issuer, clientId, clientSecret }: Pick<IdentityProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  port: string,
): Record<string, string> => ({
  PORT: port,
  CHARTGATE_BASE_URL: `http://127.0.0.1:${port}`,
  CHARTGATE_OIDC_ISSUER: issuer,
  CHARTGATE_OIDC_CLIENT_ID: clientId,
  CHARTGATE_OIDC_CLIENT_SECRET: clientSecret,
  CHARTGATE_OIDC_ROLES: 'groups; owners=owner; study=researcher; audit=auditor',
});

let personCount = 0;
export const newPerson = (person: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = `person-${++personCount}`;
  return {
    sub,
    email: `${sub}@clinic.example`,
    email_verified: true,
    name: 'Ana Ruiz',
    groups: ['study'],
    ...person,
  };
};

export const toOutcome = ({ status, body }: HttpResponse): unknown[] => [status, body?.code];

export const getSession = async (browser: ConsoleBrowser) => (await browser.get('/console/session')).body;

/** Begins at one of the three endpoints; returns where the browser goes. */
export const beginAtProvider = async (browser: ConsoleBrowser, path = 'sign-in/oidc'): Promise<string> => {
  const { status, body } = await browser.post(`/console/${path}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.url as string;
};

export const completeAtProvider = (
  browser: ConsoleBrowser,
  parameters: Record<string, string>,
): Promise<HttpResponse> => browser.post('/console/sign-in/oidc/complete', { parameters });

/** What a person does at the provider, and here with what comes back. */
export function createProviderSignIns(service: TestService, provider: IdentityProvider) {
  const run = async (
    person: ProviderPerson,
    browser: ConsoleBrowser,
    path: string,
  ): Promise<HttpResponse> => {
    const url = await beginAtProvider(browser, path);
    provider.person = person;
    return completeAtProvider(browser, await provider.signIn(url));
  };
  return {
    signIn: (person: ProviderPerson, browser = createConsoleBrowser(service)): Promise<HttpResponse> =>
      run(person, browser, 'sign-in/oidc'),
    join: (person: ProviderPerson, browser: ConsoleBrowser): Promise<HttpResponse> =>
      run(person, browser, 'identity'),
    confirm: (person: ProviderPerson, browser: ConsoleBrowser): Promise<HttpResponse> =>
      run(person, browser, 'confirm/oidc'),
  };
}
