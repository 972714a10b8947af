import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiateLanguages, prefersPage, renderErrorPage, type WordsByCode } from './error-page.ts';
import { PAGE_WORDS } from './error-page-words.ts';

describe('negotiateLanguages', () => {
  const cases: [header: string | null | undefined, languages: string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['de-DE, fr;q=0.8', 'en'],
    ['es', 'es'],
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.2, ES-419 ; q=0.7', 'es'],
    ['ca, es;q=0.5', 'es'],
    ['estonian', 'en'],
    ['es;q=0', 'en'],
    ['es;q=x', 'en'],
    [null, 'en,es'],
  ];
  for (const [header, languages] of cases)
    it(`answers ${String(header)} in ${languages}`, () =>
      assert.equal(negotiateLanguages(header).join(), languages));
});

describe('prefersPage', () => {
  it('is for browsers, and never for the paths of programs', () => {
    const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const url of ['/', '/consent/none', '/oauth/authorize?state=/v1/', '/v10', '/account/download'])
      assert.deepEqual(
        [html, '*/*', 'application/json', '', undefined, null].map((accept) => prefersPage({ url, accept })),
        [true, false, false, false, false, true],
        url,
      );
    for (const url of ['/v1/none', '/v1?x', '/FHIR/R4', '/mcp', '/projects/x/mcp', '/openapi.json'])
      assert.equal(prefersPage({ url, accept: html }), false, url);
  });
});

describe('renderErrorPage', () => {
  const own: WordsByCode = new Map([
    ['invalid_client', { en: words('Own client'), es: words('Cliente propio') }],
    ['503', { en: words('Own busy'), es: words('Ocupado') }],
    ['other', { en: words('Own other'), es: words('Otro') }],
  ]);

  function words(title: string) {
    return { title, lead: 'Lead.', next: 'Next.' };
  }

  const findTitle = (status: number, code: string, words?: WordsByCode): string | undefined =>
    /<title>([^<]*)</.exec(renderErrorPage({ status, code }, ['en'], words))?.[1];

  it('finds words by the code, then by the status, those of the surface first', () => {
    const cases: [status: number, code: string, own: string, general: string][] = [
      [400, 'invalid_client', 'Own client', 'This request is not in order'],
      [503, 'store_unavailable', 'Own busy', 'We cannot answer just now'],
      [503, 'outcome_unknown', 'Own busy', 'We cannot answer just now'],
      [500, 'internal_error', 'Something went wrong on our side', 'Something went wrong on our side'],
      [507, 'store_full', 'Something went wrong on our side', 'Something went wrong on our side'],
      [400, 'invalid_url', 'Own other', 'This request is not in order'],
      [405, 'method_not_allowed', 'Own other', 'This request is not in order'],
      [400, 'constructor', 'Own other', 'This request is not in order'],
      [403, 'host_not_allowed', 'We cannot answer this link', 'We cannot answer this link'],
      [404, 'not_found', 'There is nothing here', 'There is nothing here'],
      [431, 'headers_too_large', 'This link is too long', 'This link is too long'],
      [429, 'too_many_requests', 'Too many requests', 'Too many requests'],
    ];
    for (const [status, code, special, general] of cases)
      assert.deepEqual([findTitle(status, code, own), findTitle(status, code)], [special, general], code);
  });

  it('says in both languages what happened and what to do next, and loads nothing', () => {
    for (const [name, { en, es }] of PAGE_WORDS) {
      for (const text of [...Object.values(en), ...Object.values(es)])
        assert.match(text, /^[A-ZÁÉÍÓÚ][^<>&"]+$/, name);
      for (const title of [en.title, es.title]) assert.doesNotMatch(title, /\.$/);
      const page = renderErrorPage({ status: 400, code: name }, ['en', 'es']);
      for (const text of [...Object.values(en), ...Object.values(es)]) assert.ok(page.includes(text), name);
      assert.doesNotMatch(page, /<script|href|src=|url\(|@import/);
      assert.match(page, /<section lang="en">.*<section lang="es">/);
    }
  });
});
