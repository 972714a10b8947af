import { formatMoment } from '../../../platform/mail/format-moment.ts';
import type { Mail } from '../../../platform/mail/mail.ts';
import type { NoticedKind } from './notices.sql.ts';

export type NoticeKind = NoticedKind | 'weekly_digest';

/** How often a record was read in a week; no word about what was read, nor by what name. */
export interface WeekOfReads {
  from: Date;
  apps: number;
  readsByApps: number;
  readsByOrganizations: number;
}

interface Notice {
  kind: NoticeKind;
  at: Date;
  /** null: not a digest. */
  week: WeekOfReads | null;
}

type Language = 'en' | 'es';

/**
 * Builds the mail about an event. It names neither app nor organization: an app calls itself what it likes, and either name
 * can say what somebody suffers from. The page has the names.
 */
export function renderNoticeMail(
  { kind, at, week }: Notice,
  { language, timeZone, page }: { language: Language; timeZone: string; page: string },
): Pick<Mail, 'subject' | 'text'> {
  const words = WORDS[language];
  const { subject, text } = words[kind];
  const formatDay = (day: Date): string => day.toLocaleDateString(language, { dateStyle: 'long', timeZone });
  const moment = formatMoment(at, { language, timeZone });
  const body = text
    .replaceAll('{moment}', () => moment)
    .replaceAll('{from}', () => (week ? formatDay(week.from) : ''))
    .replaceAll('{until}', () => formatDay(at))
    .replaceAll('{reads}', () => (week ? words.formatReads(week) : ''))
    .replaceAll('{page}', () => page);
  return { subject, text: `${words.greeting}\n\n${body}\n\n${words.settings}\n\n${page}/notices\n` };
}

interface NoticeWords extends Readonly<Record<NoticeKind, { subject: string; text: string }>> {
  greeting: string;
  /** The last line, before the link to the settings. */
  settings: string;
  formatReads(week: WeekOfReads): string;
}

const ENGLISH: NoticeWords = {
  greeting: 'Hello,',
  first_read: {
    subject: 'A new app has read your data',
    text: `An app that had never read your data here did so for the first time on {moment}.

If you have just connected an app, this is it. If not, see which app it is and stop it on your page:

{page}`,
  },
  unusual_volume: {
    subject: 'An app reads your data more often than usual',
    text: `In the hour from {moment} an app read your data far more often than it usually does.

There may be a good reason: you asked it a lot, or it is putting something together for you. If you know of none, see which app it is and stop it on your page:

{page}`,
  },
  unused_consent: {
    subject: 'Do you still want to share your data?',
    text: `You agreed to share your data, and nobody has read it under that agreement for 90 days. It is still in force.

If you no longer need it, you can end it on your page:

{page}

If you want to keep it, there is nothing to do.`,
  },
  held_upload: {
    subject: 'Something you sent is waiting for your answer',
    text: `Some days ago something arrived here for you, and we are not sure that it is yours. Until you have answered, it is shown to nobody, and no app can read it.

Please look at it on your page, and say whether it is yours:

{page}/documents

If it is not, you can remove it there.`,
  },
  weekly_digest: {
    subject: 'Your data: the last seven days',
    text: `From {from} to {until}:

{reads}

Who it was and what they read is on your page:

{page}`,
  },
  formatReads: ({ apps, readsByApps, readsByOrganizations }) =>
    [
      readsByApps === 0
        ? '- No app read your data.'
        : `- ${apps === 1 ? '1 app' : `${apps} apps`} read your data, ${readsByApps === 1 ? 'once' : `${readsByApps} times`} in all.`,
      ...(readsByOrganizations === 0
        ? []
        : [
            `- Organizations that you share with read your data ${readsByOrganizations === 1 ? 'once' : `${readsByOrganizations} times`}.`,
          ]),
    ].join('\n'),
  settings: 'You choose which of these messages you get:',
};

const SPANISH: NoticeWords = {
  greeting: 'Hola:',
  first_read: {
    subject: 'Una aplicación nueva ha leído sus datos',
    text: `Una aplicación que nunca había leído aquí sus datos lo hizo por primera vez el {moment}.

Si acaba de conectar una aplicación, es esa. Si no, vea cuál es y deténgala en su página:

{page}`,
  },
  unusual_volume: {
    subject: 'Una aplicación lee sus datos más de lo habitual',
    text: `En la hora que empezó el {moment}, una aplicación leyó sus datos mucho más a menudo de lo habitual.

Puede haber una buena razón: usted le preguntó mucho, o está preparando algo para usted. Si no conoce ninguna, vea cuál es y deténgala en su página:

{page}`,
  },
  unused_consent: {
    subject: '¿Quiere seguir compartiendo sus datos?',
    text: `Usted aceptó compartir sus datos, y desde hace 90 días nadie los ha leído con ese permiso. Sigue vigente.

Si ya no lo necesita, puede terminarlo en su página:

{page}

Si quiere conservarlo, no tiene que hacer nada.`,
  },
  held_upload: {
    subject: 'Algo que envió espera su respuesta',
    text: `Hace unos días llegó aquí algo para usted, y no estamos seguros de que sea suyo. Hasta que responda, nadie lo ve y ninguna aplicación lo puede leer.

Mírelo en su página y díganos si es suyo:

{page}/documents

Si no lo es, puede quitarlo allí.`,
  },
  weekly_digest: {
    subject: 'Sus datos: los últimos siete días',
    text: `Del {from} al {until}:

{reads}

Quién fue y qué leyó está en su página:

{page}`,
  },
  formatReads: ({ apps, readsByApps, readsByOrganizations }) =>
    [
      readsByApps === 0
        ? '- Ninguna aplicación leyó sus datos.'
        : `- ${apps === 1 ? '1 aplicación leyó' : `${apps} aplicaciones leyeron`} sus datos, ${readsByApps === 1 ? 'una vez' : `${readsByApps} veces`} en total.`,
      ...(readsByOrganizations === 0
        ? []
        : [
            `- Las organizaciones con las que comparte leyeron sus datos ${readsByOrganizations === 1 ? 'una vez' : `${readsByOrganizations} veces`}.`,
          ]),
    ].join('\n'),
  settings: 'Usted elige cuáles de estos mensajes recibe:',
};

const WORDS: Readonly<Record<Language, NoticeWords>> = { en: ENGLISH, es: SPANISH };
