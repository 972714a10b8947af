/** The screens that ask for a mail with a link: to a new account, or to a new password for one. */
export type LinkScreen = 'sign-up' | 'forgotten-password';

/**
 * Where a person is within a route. It lives in the browser's history, so the back button and a reload land on the
 * same screen, and no second tab inherits it.
 */
export type Step =
  /** `email`: what was entered on the screen before. */
  | { at: 'sign-in' | LinkScreen; email?: string }
  | { at: 'mail-sent'; email: string; to: LinkScreen }
  /**
   * The person confirmed their identity; `person` limits that to them (`getPersonKey`). `changed`: which review they last changed something on,
   * and when, so that a reload knows whether that reached the service; what they chose is not in the history.
   */
  | { at: 'confirmed'; person: string; changed?: { review: string; at: string } };

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
      return { at: state.at, ...(email !== null && { email }) };
    case 'mail-sent': {
      const to = 'to' in state && state.to === 'forgotten-password' ? state.to : 'sign-up';
      return email === null ? null : { at: state.at, email, to };
    }
    case 'confirmed': {
      const changed = 'changed' in state ? parseChanged(state.changed) : null;
      // A page of the version before wrote the address, which is compared like any other text.
      const person = 'person' in state && typeof state.person === 'string' ? state.person : email;
      return person === null ? null : { at: state.at, person, ...(changed && { changed }) };
    }
    default:
      return null;
  }
}

const parseChanged = (changed: unknown): { review: string; at: string } | null =>
  typeof changed === 'object' &&
  changed !== null &&
  'review' in changed &&
  typeof changed.review === 'string' &&
  'at' in changed &&
  typeof changed.at === 'string'
    ? { review: changed.review, at: changed.at }
    : null;
