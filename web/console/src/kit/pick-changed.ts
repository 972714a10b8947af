import { Refusal } from '../../../kit/http/refusal.ts';

/**
 * Returns the fields of a form's body that are not as they were when the form was filled. The rest is not sent: a
 * colleague may have changed it since, and a form that sends all it shows would undo that.
 */
export const pickChanged = <Body extends object>(before: Body, after: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]),
    ),
  ) as Partial<Body>;

/**
 * Refuses a change of what somebody else has changed otherwise since the form showed it (`before`): a field that holds several
 * things, such as a list, would undo theirs.
 */
export function requireUnchanged<Body extends object>(
  change: Partial<Body>,
  { before, now }: { before: Body; now: Body },
): void {
  const theirs = Object.keys(pickChanged(before, now));
  const undone = Object.keys(pickChanged(now, change as Body));
  if (theirs.some((name) => undone.includes(name))) throw new Refusal(409, 'changed_meanwhile');
}
