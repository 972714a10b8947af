/**
 * Where a person is within a route. It lives in the browser's history, so the back button and a reload land on the
 * same screen, and no second tab inherits it.
 */
export type Step =
  | { at: 'sign-in' }
  | { at: 'sign-up' }
  | { at: 'forgotten-password' }
  | { at: 'mail-sent'; email: string }
  /** They said who they are; `email` so that it counts for that person only. */
  | { at: 'confirmed'; email: string };

/** From the history, which may hold what another page of this origin, or an older version of this one, has left. */
export function parseStep(state: unknown): Step | null {
  if (typeof state !== 'object' || state === null || !('at' in state)) return null;
  const email = 'email' in state && typeof state.email === 'string' ? state.email : null;
  switch (state.at) {
    case 'sign-in':
    case 'sign-up':
    case 'forgotten-password':
      return { at: state.at };
    case 'mail-sent':
    case 'confirmed':
      return email === null ? null : { at: state.at, email };
    default:
      return null;
  }
}
