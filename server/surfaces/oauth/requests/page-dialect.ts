import type { App } from '../../../platform/http/app.ts';
import { sendErrorPage, type WordsByCode } from '../../../platform/http/error-page.ts';
import type { PageWords } from '../../../platform/http/error-page-words.ts';
import { logRefusal, toRefusal } from '../../../platform/http/problem-dialect.ts';

const NOT_COMPLETED: PageWords = {
  en: {
    title: 'This cannot be completed here',
    lead: 'The request has expired, is done already, or was begun in another browser.',
    next: 'Go back to the app and connect again, in the browser that you began in.',
  },
  es: {
    title: 'No se puede completar aquí',
    lead: 'La solicitud ha caducado, ya se ha completado o se inició en otro navegador.',
    next: 'Vuelva a la aplicación y conéctela de nuevo, en el navegador en el que empezó.',
  },
};

const NOT_LET_IN: PageWords = {
  en: {
    title: 'This app cannot connect here',
    lead: 'The organization that holds your project does not let this app in. Nothing was shared.',
    next: 'Close this window. If you want to know why, ask the organization.',
  },
  es: {
    title: 'Esta aplicación no se puede conectar aquí',
    lead: 'La organización de su proyecto no admite esta aplicación. No se ha compartido nada.',
    next: 'Cierre esta ventana. Si quiere saber por qué, pregunte a la organización.',
  },
};

const NOT_LOOKED_UP: PageWords = {
  en: {
    title: 'We cannot look up this app just now',
    lead: 'The description of the app that sent you here could not be fetched. Nothing was shared.',
    next: 'Wait a minute, then go back to the app and connect again.',
  },
  es: {
    title: 'Ahora no podemos consultar esta aplicación',
    lead: 'No se ha podido obtener la descripción de la aplicación que le ha enviado aquí. No se ha compartido nada.',
    next: 'Espere un minuto, vuelva a la aplicación y conéctela de nuevo.',
  },
};

/** What people read who came from an app. */
const WORDS: WordsByCode = new Map<string, PageWords>([
  [
    'invalid_client',
    {
      en: {
        title: 'We do not know this app',
        lead: 'The app that sent you here is not registered with us. Nothing was shared.',
        next: 'Close this window, go back to the app and connect again. If you read this again, remove the connection in the app and add it anew, so that the app registers again.',
      },
      es: {
        title: 'No conocemos esta aplicación',
        lead: 'La aplicación que le ha enviado aquí no está registrada. No se ha compartido nada.',
        next: 'Cierre esta ventana, vuelva a la aplicación y conéctela de nuevo. Si vuelve a leer esto, elimine la conexión en la aplicación y añádala otra vez, para que la aplicación se registre de nuevo.',
      },
    },
  ],
  ['client_unavailable', NOT_LOOKED_UP],
  ['cannot_complete', NOT_COMPLETED],
  ['client_blocked', NOT_LET_IN],
  ['client_not_vouched', NOT_LET_IN],
  ['client_not_known', NOT_LET_IN],
  // The one input that is validated by its form is the id of a request.
  ['invalid_input', NOT_COMPLETED],
  [
    '429',
    {
      en: {
        title: 'Too many requests',
        lead: 'There were too many requests from your network in a short time.',
        next: 'Wait a minute, then go back to the app and connect again.',
      },
      es: {
        title: 'Demasiadas solicitudes',
        lead: 'Ha habido demasiadas solicitudes desde su red en poco tiempo.',
        next: 'Espere un minuto, vuelva a la aplicación y conéctela de nuevo.',
      },
    },
  ],
  [
    '503',
    {
      en: {
        title: 'We cannot answer just now',
        lead: 'The service is being restarted, or is very busy.',
        next: 'Wait a minute, then go back to the app and connect again.',
      },
      es: {
        title: 'Ahora no podemos responder',
        lead: 'El servicio se está reiniciando o está muy ocupado.',
        next: 'Espere un minuto, vuelva a la aplicación y conéctela de nuevo.',
      },
    },
  ],
  [
    'other',
    {
      en: {
        title: 'This request is not in order',
        lead: 'The app that sent you here made a mistake in its request. Nothing was shared.',
        next: 'Close this window. If it happens again, tell whoever makes the app.',
      },
      es: {
        title: 'La solicitud no es correcta',
        lead: 'La aplicación que le ha enviado aquí ha cometido un error. No se ha compartido nada.',
        next: 'Cierre esta ventana. Si vuelve a ocurrir, avise a quien hace la aplicación.',
      },
    },
  ],
]);

const UNFRAMED = "default-src 'none'; frame-ancestors 'none'";

/** Codes of ours that RFC 6749 §4.1.2.1 calls by another name. */
const OAUTH_CODES: ReadonlyMap<string, string> = new Map([
  ['invalid_input', 'invalid_request'],
  ['cannot_complete', 'invalid_request'],
  ['client_unavailable', 'invalid_client'],
  ['client_blocked', 'access_denied'],
  ['client_not_vouched', 'access_denied'],
  ['client_not_known', 'access_denied'],
]);

/** Renders refusals of the endpoints that browsers visit: a page for people, RFC 6749's JSON for programs; never a redirect. */
export function registerPageErrors(app: App): void {
  // A redirect shows nothing, but a page that frames it could observe where it ends.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', UNFRAMED).header('x-frame-options', 'DENY');
  });
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(error as Error, request);
    logRefusal(request, refusal, error);
    reply.code(refusal.status === 404 ? 400 : refusal.status).headers(refusal.headers);
    if (request.headers.accept?.includes('text/html')) return sendErrorPage(reply, refusal, WORDS);
    const code = OAUTH_CODES.get(refusal.code) ?? refusal.code;
    return reply.type('application/json').send({ error: code, error_description: refusal.message });
  });
}
