import { useNavigation } from '../../kit/navigation.ts';
import { createAccountApi } from '../../patient/account-api.ts';
import { createPatientCall } from '../../patient/create-patient-call.ts';
import { ErrorScreen } from '../../patient/error-screen.tsx';
import { Loading } from '../../patient/loading.tsx';
import { getBaseUrl, getContainer, renderApp } from '../../patient/render-app.tsx';
import { ScreenObserver } from '../../patient/screen.tsx';
import { parseStep, type Step } from '../../patient/step.ts';
import { EmailLink } from './account/email-link.tsx';
import { createKeptLink } from './account/kept-link.ts';
import { MailedLink } from './account/mailed-link.tsx';
import { Welcome } from './account/welcome.tsx';
import { EnrollmentPage } from './enrollment/enrollment-page.tsx';
import { createConsentApi } from './api.ts';
import { AppProvider } from './app-deps.ts';
import { BaseUrlProvider } from './base-url.ts';
import { createEvidence } from './evidence/evidence.ts';
import { createInteractionLog } from './interaction-log.ts';
import { AuthorizationRequest } from './request/authorization-request.tsx';
import { buildOpenedFragment, parseRoute, type Route } from './route.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';

export function renderConsentApp(): void {
  const container = getContainer();
  const baseUrl = getBaseUrl();
  const call = createPatientCall(baseUrl);
  const accountApi = createAccountApi(call);
  const interactionLog = createInteractionLog(describeSubject(parseRoute(location.hash)));
  const deps = {
    api: createConsentApi(call),
    interactionLog,
    evidence: createEvidence(container),
    keptEmailLink: createKeptLink(),
  };
  const logScreen = (screen: string) => interactionLog.add(screen, 'shown');
  const children = (
    <BaseUrlProvider value={baseUrl}>
      <AppProvider value={deps}>
        <ScreenObserver value={logScreen}>
          <App />
        </ScreenObserver>
      </AppProvider>
    </BaseUrlProvider>
  );
  renderApp({ container, dictionaries: { en, es }, accountApi, children });
}

/** Names what a visit is about; the rest of an address is of no interest to the record of a decision. */
const describeSubject = (route: Route): string =>
  route.to === 'request' ? route.requestId : route.to === 'invitation' ? route.studyId : '';

/** The keys begin a route afresh when the address changes within it; `EmailLink` does so itself. */
function App() {
  const navigation = useNavigation<Route, Step>(readLocation);
  const { route } = navigation;
  switch (route.to) {
    case 'request':
      return (
        <AuthorizationRequest key={route.requestId} requestId={route.requestId} navigation={navigation} />
      );
    case 'broken-request':
      return <ErrorScreen failure={{ kind: 'unknown' }} />;
    case 'broken-invitation':
      return <ErrorScreen about="invitation" failure={{ kind: 'unknown' }} />;
    case 'mailed-link':
      return <MailedLink key={route.token} token={route.token} />;
    case 'email-link':
      return <EmailLink token={route.token} navigation={navigation} />;
    case 'portal':
      return <Loading />;
    case 'invitation':
      return <EnrollmentPage key={route.studyId} studyId={route.studyId} navigation={navigation} />;
    case 'start':
      return <Welcome navigation={navigation} />;
  }
}

/** A token of a mailed link leaves the address bar, and so the history, as soon as it is read. */
function readLocation(): { route: Route; step: Step | null } {
  const route = parseRoute(location.hash);
  const opened = buildOpenedFragment(route);
  if (opened !== null) history.replaceState(null, '', opened);
  return { route, step: parseStep(history.state) };
}
