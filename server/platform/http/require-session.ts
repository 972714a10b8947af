import { Refusal } from '../kernel/refusal.ts';

/** Who a session's cookie stands for. */
export type ResolveSession<Person> = (session: string | null) => Promise<Person | null>;

/** Refuses (`not_signed_in`) a browser in which nobody is signed in. */
export async function requireSession<Person>(
  resolveSession: ResolveSession<Person>,
  browserContext: { session: string | null },
): Promise<Person> {
  const person = await resolveSession(browserContext.session);
  if (!person) throw new Refusal(401, 'not_signed_in', { detail: 'Sign in first.' });
  return person;
}
