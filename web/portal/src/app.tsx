import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useNavigation } from '../../kit/navigation.ts';
import { SignInFlow } from '../../patient/account/sign-in-flow.tsx';
import { useMailLanguage } from '../../patient/account/use-mail-language.ts';
import { useSession } from '../../patient/account/use-session.ts';
import { createAccountApi } from '../../patient/account-api.ts';
import { createPatientCall } from '../../patient/create-patient-call.ts';
import { useSpeaker } from '../../patient/brand.tsx';
import { ErrorScreen } from '../../patient/error-screen.tsx';
import { toFailure } from '../../patient/failure.ts';
import { Loading } from '../../patient/loading.tsx';
import { LostAction as LostActionNotice } from '../../patient/lost-action.tsx';
import { getBaseUrl, getContainer, renderApp } from '../../patient/render-app.tsx';
import { getPersonKey } from '../../patient/same-person.ts';
import { parseStep, type Step } from '../../patient/step.ts';
import { AccountDeleted } from './account-deleted.tsx';
import { createPortalApi } from './api.ts';
import { type LostAction, LostActionProvider } from './lost-action.ts';
import { AppProvider } from './app-deps.ts';
import { type PartProps, PersonProvider } from './person-query.ts';
import { parseRoute, type Part, type Route } from './route.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { useWords } from './words/use-words.ts';

export function renderPortal(): void {
  const baseUrl = getBaseUrl();
  const call = createPatientCall(baseUrl);
  const children = (
    <AppProvider value={{ baseUrl, api: createPortalApi(call) }}>
      <Portal />
    </AppProvider>
  );
  renderApp({
    container: getContainer(),
    dictionaries: { en, es },
    accountApi: createAccountApi(call),
    children,
  });
}

/** Each part is loaded when it is opened. */
const Home = lazy(async () => ({ default: (await import('./home.tsx')).Home }));
const PART_COMPONENTS: Record<Part, ComponentType<PartProps>> = {
  record: lazy(async () => ({ default: (await import('./record/record.tsx')).Record })),
  activity: lazy(async () => ({ default: (await import('./activity/activity.tsx')).Activity })),
  receipts: lazy(async () => ({ default: (await import('./receipts/receipts.tsx')).Receipts })),
  documents: lazy(async () => ({ default: (await import('./documents/documents.tsx')).Documents })),
  download: lazy(async () => ({ default: (await import('./download.tsx')).Download })),
  notices: lazy(async () => ({ default: (await import('./notices/notices.tsx')).Notices })),
  'signing-in': lazy(async () => ({ default: (await import('./signing-in/signing-in.tsx')).SigningIn })),
  'delete-account': lazy(async () => ({ default: (await import('./delete-account.tsx')).DeleteAccount })),
};

const ReceiptPage = lazy(async () => ({
  default: (await import('./receipts/receipt-page.tsx')).ReceiptPage,
}));

function Portal() {
  const navigation = useNavigation<Route, Step>(readLocation);
  const { query, load } = useSession();
  const { myData } = useWords();
  const [isDeleted, setIsDeleted] = useState(false);
  const [lost, setLost] = useState<LostAction | null>(null);
  useMailLanguage(query.state === 'loaded' ? query.data.person : null);
  useSpeaker(query.state === 'loaded' ? query.data.organization : null);
  if (isDeleted) return <AccountDeleted />;
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'error')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const { person } = query.data;
  if (person === null)
    return (
      <SignInFlow
        navigation={navigation}
        above={<LostActionNotice lost={lost} />}
        lead={myData.signInFirst}
        onSignedIn={load}
      />
    );
  return (
    <LostActionProvider value={{ lost, setLost }}>
      <LostActionNotice lost={lost} person={person} />
      <Suspense fallback={<Loading />}>
        <PersonProvider value={{ person, reload: load }}>
          <OpenedPart
            route={navigation.route}
            {...{ person, reload: load }}
            onDeleted={() => setIsDeleted(true)}
          />
        </PersonProvider>
      </Suspense>
    </LostActionProvider>
  );
}

/** A page starts afresh for another person: nothing of one is shown under the name of the other. */
function OpenedPart({ route: { part, consentRecordId }, ...props }: PartProps & { route: Route }) {
  const { person, reload } = props;
  if (consentRecordId !== null)
    return (
      <ReceiptPage
        key={`${getPersonKey(person)} ${consentRecordId}`}
        {...{ person, consentRecordId, reload }}
      />
    );
  const Component = part === null ? Home : PART_COMPONENTS[part];
  return <Component key={getPersonKey(person)} {...props} />;
}

const readLocation = () => ({ route: parseRoute(location.hash), step: parseStep(history.state) });
