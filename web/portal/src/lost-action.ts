import { createContext, useContext } from 'react';
import type { Category, Sensitivity } from '../../patient/data/groups.ts';
import type { Loss } from '../../patient/lost-action.tsx';

/** What somebody goes on sharing. */
export interface NarrowedScopes {
  categories: ReadonlySet<Category>;
  sensitivities: ReadonlySet<Sensitivity>;
}

/** What the person had chosen, to be offered again. */
export interface KeptChoice {
  /** To send. */
  files?: readonly File[];
  /** Of a consent, to go on sharing. */
  narrowing?: { consentRecordId: string; scopes: NarrowedScopes };
}

/** What the person did last and that was not done; kept while they sign in again. */
export interface LostAction extends Loss, KeptChoice {}

interface LostActionStore {
  lost: LostAction | null;
  setLost: (lost: LostAction | null) => void;
}

const LostActionContext = createContext<LostActionStore>({ lost: null, setLost: () => undefined });
export const LostActionProvider = LostActionContext.Provider;
export const useLostAction = (): LostActionStore => useContext(LostActionContext);
