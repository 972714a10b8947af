import { createContext, useContext } from 'react';
import type { Loss } from '../../patient/lost-action.tsx';

/** What the person did last and that was not done; kept while they sign in again. */
export interface LostAction extends Loss {
  /** What they had chosen to send. */
  files: readonly File[];
}

interface LostActionStore {
  lost: LostAction | null;
  setLost: (lost: LostAction | null) => void;
}

const LostActionContext = createContext<LostActionStore>({ lost: null, setLost: () => undefined });
export const LostActionProvider = LostActionContext.Provider;
export const useLostAction = (): LostActionStore => useContext(LostActionContext);
