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
