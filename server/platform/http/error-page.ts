import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Refusal } from '../kernel/refusal.ts';
import { PAGE_WORDS, type Language, type PageWords } from './error-page-words.ts';

const STYLE = `
:root{color-scheme:light dark;--ground:#f3f1ea;--surface:#fffefb;--ink:#17231f;--line:#dfdbd0;--accent:#0b5d4b}
@media (prefers-color-scheme:dark){:root{--ground:#101714;--surface:#18211d;--ink:#e9efe9;--line:#2e3b35;--accent:#a6e3cb}}
*{box-sizing:border-box}
body{margin:0;padding:clamp(1rem,8vh,6rem) 1rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:34rem;margin:0 auto;padding:clamp(1.25rem,5vw,2.5rem);background:var(--surface);border:1px solid var(--line);border-top:.375rem solid var(--accent);border-radius:.75rem}
section+section{margin-top:2rem;padding-top:2rem;border-top:1px solid var(--line)}
h1{margin:0 0 .75rem;font-size:clamp(1.5rem,1.3rem + 1.2vw,2rem);line-height:1.25;text-wrap:balance}
p{margin:0}p+p{margin-top:1rem}
`;

/** Nothing is loaded, run, sent or framed: the page is its text. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
};

/** Where programs call, which are answered in JSON whatever they accept. */
const PROGRAM_PATHS = /^\/(v1|FHIR|mcp|projects|\.well-known|openapi\.json|metrics|healthz|readyz)(?=[/?]|$)/;

export const isProgramPath = (url: string): boolean => PROGRAM_PATHS.test(url);

/**
 * True for a browser that shows the answer to a person: only those say that they accept HTML. Of a request whose headers were
 * not read, the path decides.
 */
export const prefersPage = ({ url, accept }: { url: string; accept: string | null | undefined }): boolean =>
  !isProgramPath(url) && (accept === null || accept?.includes('text/html') === true);

/** Chooses by Accept-Language (RFC 9110 §12.5.4): English unless Spanish is preferred; null, unknown: both. */
export function negotiateLanguages(header: string | null | undefined): readonly Language[] {
  if (header === null) return ['en', 'es'];
  const weigh = (language: Language): number =>
    Math.max(
      0,
      ...(header ?? '').split(',').map((range) => {
        const [name = '', ...parameters] = range
          .toLowerCase()
          .split(';')
          .map((part) => part.trim());
        if (name.split('-')[0] !== language) return 0;
        const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
        return Number.isNaN(quality) ? 0 : quality;
      }),
    );
  return weigh('es') > weigh('en') ? ['es'] : ['en'];
}

/** Words of a surface, by code or status of a refusal; `other` for any below 500 that has none. */
export type WordsByCode = ReadonlyMap<string, PageWords>;

/** Renders a refusal; nothing of the request is repeated, so that there is nothing to inject and nothing to mislead with. */
export function renderErrorPage(
  { code, status }: Pick<Refusal, 'code' | 'status'>,
  languages: readonly Language[],
  own: WordsByCode = new Map(),
): string {
  const chosen = findWords(own, { code, status });
  const [first = 'en'] = languages;
  return `<!doctype html>
<html lang="${first}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${chosen[first].title}</title>
<style>${STYLE}</style>
<main>${languages.map((language) => renderSection(chosen[language], language)).join('')}</main>
</html>
`;
}

function findWords(own: WordsByCode, { code, status }: Pick<Refusal, 'code' | 'status'>): PageWords {
  const names = [code, String(status)];
  const [found] = [own, PAGE_WORDS].flatMap((words) => names.flatMap((name) => words.get(name) ?? []));
  const fallback = status >= 500 ? '500' : 'other';
  return found ?? own.get(fallback) ?? (PAGE_WORDS.get(fallback) as PageWords);
}

const renderSection = ({ title, lead, next }: PageWords[Language], language: Language): string =>
  `<section lang="${language}"><h1>${title}</h1><p>${lead}</p><p><strong>${next}</strong></p></section>`;

/** Sends a refusal as a page. */
export function sendErrorPage(
  reply: FastifyReply,
  refusal: Pick<Refusal, 'code' | 'status'>,
  own?: WordsByCode,
): FastifyReply {
  const languages = negotiateLanguages(reply.request.headers['accept-language']);
  return reply
    .headers(PAGE_HEADERS)
    .type('text/html; charset=utf-8')
    .send(renderErrorPage(refusal, languages, own));
}
