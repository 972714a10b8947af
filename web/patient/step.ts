/**
 * Where a person is within a route. It lives in the browser's history, so the back button and a reload land on the
 * same screen, and no second tab inherits it.
 */
export type Step =
  | { at: 'sign-in' }
  | { at: 'sign-up' }
  | { at: 'forgotten-password' }
  | { at: 'mail-sent'; email: string }
  /** The person confirmed their identity; `email` limits that to them. */
  | { at: 'confirmed'; email: string };

/**
 * Parses a state of the history, which another page of this origin or an older version of this one may have written.
 */
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
