export type Language = 'en' | 'es';

/** What a person reads: what happened, what that means, and what to do next. */
export type PageWords = Readonly<Record<Language, { title: string; lead: string; next: string }>>;

/** Words by the code or the status of a refusal. */
export const PAGE_WORDS: ReadonlyMap<string, PageWords> = new Map<string, PageWords>([
  [
    '401',
    {
      en: {
        title: 'You are signed out',
        lead: 'This page is only for somebody who is signed in.',
        next: 'Sign in again, then open the page once more.',
      },
      es: {
        title: 'Su sesión se ha cerrado',
        lead: 'Esta página es solo para quien ha iniciado sesión.',
        next: 'Inicie sesión de nuevo y vuelva a abrir la página.',
      },
    },
  ],
  [
    '404',
    {
      en: {
        title: 'There is nothing here',
        lead: 'The address is wrong, or the page is no longer there.',
        next: 'Check the address, or open the link once more from the message or the app that you have it from.',
      },
      es: {
        title: 'Aquí no hay nada',
        lead: 'La dirección no es correcta o la página ya no existe.',
        next: 'Compruebe la dirección, o abra de nuevo el enlace desde el mensaje o la aplicación donde lo encontró.',
      },
    },
  ],
  [
    '408',
    {
      en: {
        title: 'That took too long',
        lead: 'Your request did not arrive in time. Nothing of it was kept.',
        next: 'Check your connection, then try again.',
      },
      es: {
        title: 'Ha tardado demasiado',
        lead: 'Su solicitud no llegó a tiempo. No se ha guardado nada de ella.',
        next: 'Compruebe su conexión e inténtelo de nuevo.',
      },
    },
  ],
  [
    '431',
    {
      en: {
        title: 'This link is too long',
        lead: 'The link, or what your browser sends with it, is longer than we can read. Nothing was shared.',
        next: 'Go back to the app and connect again. If it happens again, delete the cookies of this site, or tell whoever makes the app.',
      },
      es: {
        title: 'Este enlace es demasiado largo',
        lead: 'El enlace, o lo que su navegador envía con él, es más largo de lo que podemos leer. No se ha compartido nada.',
        next: 'Vuelva a la aplicación y conéctela de nuevo. Si vuelve a ocurrir, borre las cookies de este sitio o avise a quien hace la aplicación.',
      },
    },
  ],
  [
    '429',
    {
      en: {
        title: 'Too many requests',
        lead: 'There were too many requests from your network in a short time.',
        next: 'Wait a minute, then try again.',
      },
      es: {
        title: 'Demasiadas solicitudes',
        lead: 'Ha habido demasiadas solicitudes desde su red en poco tiempo.',
        next: 'Espere un minuto e inténtelo de nuevo.',
      },
    },
  ],
  [
    '500',
    {
      en: {
        title: 'Something went wrong on our side',
        lead: 'It is not your fault, and not that of your browser.',
        next: 'Try again in a minute. If it happens again, tell the organization that sent you here.',
      },
      es: {
        title: 'Algo ha fallado por nuestra parte',
        lead: 'No es culpa suya ni de su navegador.',
        next: 'Inténtelo de nuevo en un minuto. Si vuelve a ocurrir, avise a la organización que le envió aquí.',
      },
    },
  ],
  [
    '503',
    {
      en: {
        title: 'We cannot answer just now',
        lead: 'The service is being restarted, or is very busy.',
        next: 'Wait a minute, then try again.',
      },
      es: {
        title: 'Ahora no podemos responder',
        lead: 'El servicio se está reiniciando o está muy ocupado.',
        next: 'Espere un minuto e inténtelo de nuevo.',
      },
    },
  ],
  [
    'host_not_allowed',
    {
      en: {
        title: 'We cannot answer this link',
        lead: 'It was sent to a name that this service does not have, or by a page that may not do that. Nothing was shared.',
        next: 'Open the link once more from the message or the app that you have it from. If it happens again, tell the organization that sent you here.',
      },
      es: {
        title: 'No podemos responder a este enlace',
        lead: 'Se ha enviado a un nombre que este servicio no tiene, o desde una página que no puede hacerlo. No se ha compartido nada.',
        next: 'Abra de nuevo el enlace desde el mensaje o la aplicación donde lo encontró. Si vuelve a ocurrir, avise a la organización que le envió aquí.',
      },
    },
  ],
  [
    'other',
    {
      en: {
        title: 'This request is not in order',
        lead: 'The page or the app that sent you here made a mistake. Nothing was shared.',
        next: 'Close this window. If it happens again, tell whoever makes the app.',
      },
      es: {
        title: 'La solicitud no es correcta',
        lead: 'La página o la aplicación que le ha enviado aquí ha cometido un error. No se ha compartido nada.',
        next: 'Cierre esta ventana. Si vuelve a ocurrir, avise a quien hace la aplicación.',
      },
    },
  ],
]);
