/** Of ending the enrollments of a filter. */
export const endAll = {
  title: 'End enrollments',
  counting: 'Counting …',
  nobody: 'Nobody of this filter takes part now.',
  matched: {
    one: 'One enrollment of this filter ends, at once.',
    many: (count: string) => `${count} enrollments of this filter end, at once.`,
  },
  consenting: {
    none: 'None of them has a consent in force.',
    one: 'One of them has a consent in force. It ends too, and nobody can read that record for the project any more.',
    many: (count: string) =>
      `${count} of them have a consent in force. Those end too, and nobody can read these records for the project any more.`,
  },
  mailed:
    'Each person gets a mail that says so, in your name, and sees it in their own log. What was decided stays on record. It cannot be undone: whoever is enrolled again is asked anew.',
  confirm: 'End them',
  moreMatched:
    'Somebody was enrolled or came to this state since it was counted. Close this, and count again.',
  progress: (done: string, all: string) => `${done} of ${all} ended`,
  done: {
    one: 'One enrollment has ended.',
    many: (count: string) => `${count} enrollments have ended.`,
  },
};
