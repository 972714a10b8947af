import { createHash } from 'node:crypto';
import type { App } from '../../../platform/http/app.ts';
import { logRefusal, toRefusal } from '../../../platform/http/problem-dialect.ts';

interface Words {
  title: string;
  lead: string;
  next: string;
}

/** The pages repeat nothing of the request, so that there is nothing to inject and nothing to mislead with. */
const ENGLISH: Readonly<Record<string, Words>> = {
  invalid_client: {
    title: 'We do not know this app',
    lead: 'The app that sent you here is not registered with us. Nothing was shared.',
    next: 'Close this window, go back to the app and connect again.',
  },
  cannot_complete: {
    title: 'This cannot be completed here',
    lead: 'The request has expired, is done already, or was begun in another browser.',
    next: 'Go back to the app and connect again, in the browser that you began in.',
  },
  too_many_requests: {
    title: 'Too many requests',
    lead: 'There were too many requests from your network in a short time.',
    next: 'Wait a minute, then go back to the app and connect again.',
  },
  store_unavailable: {
    title: 'We cannot answer just now',
    lead: 'The service is being restarted, or is very busy.',
    next: 'Wait a minute, then go back to the app and connect again.',
  },
  other: {
    title: 'This request is not in order',
    lead: 'The app that sent you here made a mistake in its request. Nothing was shared.',
    next: 'Close this window. If it happens again, tell whoever makes the app.',
  },
};

const SPANISH: Readonly<Record<string, Words>> = {
  invalid_client: {
    title: 'No conocemos esta aplicación',
    lead: 'La aplicación que le ha enviado aquí no está registrada. No se ha compartido nada.',
    next: 'Cierre esta ventana, vuelva a la aplicación y conéctela de nuevo.',
  },
  cannot_complete: {
    title: 'No se puede completar aquí',
    lead: 'La solicitud ha caducado, ya se ha completado o se inició en otro navegador.',
    next: 'Vuelva a la aplicación y conéctela de nuevo, en el navegador en el que empezó.',
  },
  too_many_requests: {
    title: 'Demasiadas solicitudes',
    lead: 'Ha habido demasiadas solicitudes desde su red en poco tiempo.',
    next: 'Espere un minuto, vuelva a la aplicación y conéctela de nuevo.',
  },
  store_unavailable: {
    title: 'Ahora no podemos responder',
    lead: 'El servicio se está reiniciando o está muy ocupado.',
    next: 'Espere un minuto, vuelva a la aplicación y conéctela de nuevo.',
  },
  other: {
    title: 'La solicitud no es correcta',
    lead: 'La aplicación que le ha enviado aquí ha cometido un error. No se ha compartido nada.',
    next: 'Cierre esta ventana. Si vuelve a ocurrir, avise a quien hace la aplicación.',
  },
};

const STYLE = `:root{color-scheme:light dark}body{font:1.125rem/1.6 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.25rem}h1{font-size:1.6rem;line-height:1.25}`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const UNFRAMED = "default-src 'none'; frame-ancestors 'none'";

/** Renders refusals of the endpoints that browsers visit: a page for people, RFC 6749's JSON for programs; never a redirect. */
export function registerPageErrors(app: App): void {
  // A redirect shows nothing, but a page that frames it could observe where it ends.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', UNFRAMED).header('x-frame-options', 'DENY');
  });
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(error as Error);
    logRefusal(request, refusal, error);
    reply.code(refusal.status === 404 ? 400 : refusal.status).headers(refusal.headers);
    const { accept = '', 'accept-language': language = '' } = request.headers;
    if (!accept.includes('text/html')) {
      const code =
        refusal.code === 'invalid_input' || refusal.code === 'cannot_complete'
          ? 'invalid_request'
          : refusal.code;
      return reply.type('application/json').send({ error: code, error_description: refusal.message });
    }
    reply.header('content-security-policy', POLICY).header('x-frame-options', 'DENY');
    return reply
      .type('text/html; charset=utf-8')
      .send(
        renderErrorPage(
          refusal.status >= 500 ? 'store_unavailable' : refusal.code,
          /^\s*es\b/i.test(language),
        ),
      );
  });
}

function renderErrorPage(code: string, isSpanish: boolean): string {
  const words = isSpanish ? SPANISH : ENGLISH;
  const { title, lead, next } = (Object.hasOwn(words, code) ? words[code] : words['other']) as Words;
  return `<!doctype html>
<html lang="${isSpanish ? 'es' : 'en'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${STYLE}</style>
<main><h1>${title}</h1><p>${lead}</p><p>${next}</p></main>
</html>
`;
}
