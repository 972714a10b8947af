import { MailedLink } from './account/mailed-link.tsx';
import { type Address, useAddress } from './address.ts';
import { Frame } from './frame.tsx';
import { MyData } from './my-data/my-data.tsx';
import { Request } from './request/request.tsx';
import { TroubleScreen } from './screens/trouble.tsx';
import { Welcome } from './account/welcome.tsx';

export function App() {
  const address = useAddress();
  return <Frame>{screenOf(address)}</Frame>;
}

/** The keys begin a route afresh when the address changes within it. */
function screenOf(address: Address) {
  const { route } = address;
  switch (route.to) {
    case 'request':
      return <Request key={route.requestId} requestId={route.requestId} address={address} />;
    case 'broken-request':
      return <TroubleScreen trouble={{ kind: 'unknown' }} />;
    case 'mailed-link':
      return <MailedLink key={route.token} token={route.token} />;
    case 'my-data':
      return <MyData part={route.part} address={address} />;
    case 'invitation':
    case 'start':
      return <Welcome key={route.to} to={route.to} address={address} />;
  }
}
