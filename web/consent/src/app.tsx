import { MailedLink } from './account/mailed-link.tsx';
import { type Navigation, useNavigation } from './navigation.ts';
import { Frame } from './frame.tsx';
import { MyData } from './my-data/my-data.tsx';
import { AuthorizationRequest } from './request/authorization-request.tsx';
import { ErrorScreen } from './screens/error-screen.tsx';
import { Welcome } from './account/welcome.tsx';

export function App() {
  const navigation = useNavigation();
  return <Frame>{renderScreen(navigation)}</Frame>;
}

/** The keys begin a route afresh when the address changes within it. */
function renderScreen(navigation: Navigation) {
  const { route } = navigation;
  switch (route.to) {
    case 'request':
      return (
        <AuthorizationRequest key={route.requestId} requestId={route.requestId} navigation={navigation} />
      );
    case 'broken-request':
      return <ErrorScreen failure={{ kind: 'unknown' }} />;
    case 'mailed-link':
      return <MailedLink key={route.token} token={route.token} />;
    case 'my-data':
      return <MyData part={route.part} navigation={navigation} />;
    case 'invitation':
    case 'start':
      return <Welcome key={route.to} to={route.to} navigation={navigation} />;
  }
}
