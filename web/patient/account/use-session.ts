import type { z } from 'zod';
import type { Session } from '../../../contract/account/account.ts';
import { type Query, useQuery } from '../../kit/query.ts';
import { useOnReturn } from '../../kit/use-on-return.ts';
import { useAccountApi } from '../account-api.ts';

/** Who is signed in; asked again when the person comes back, since another tab may have changed it. */
export function useSession(): Query<z.infer<typeof Session>> {
  const session = useQuery(useAccountApi().getSession);
  useOnReturn(session.refresh);
  return session;
}
