/** When something happened, as a mail says it: to the minute in a time zone that it names, since mails travel. */
export const formatMoment = (
  at: Date,
  { language, timeZone }: { language: string; timeZone: string },
): string =>
  at.toLocaleString(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
