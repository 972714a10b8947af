import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { EventType } from '../contract/webhooks/webhook-events.ts';
import { buildSite } from '../tools/docs-site/build-site.ts';
import { listSources } from '../tools/docs-site/read-source.ts';
import { renderMarkdown } from '../tools/docs-site/render-markdown.ts';

const site = buildSite();

/** The address that the service has each page at. */
const pages = new Map(
  [...site]
    .filter(([name]) => name.endsWith('.html') && !name.startsWith('home/'))
    .map(([name, html]) => [
      `/docs/${name.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`,
      html,
    ]),
);

/** Addresses of the service that no page of the documentation is at. */
const ELSEWHERE = ['/', '/?lang=en', '/?lang=es', '/openapi.json', '/console/', '%CONSENT_APP%/#/my-data'];

const listLinks = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

const hasId = (html: string | undefined, id: string): boolean =>
  html !== undefined && (id === '' || html.includes(` id="${id}"`));

describe('the documentation as pages', () => {
  it('has no link to a page or a heading that there is not', () => {
    const dead = [...pages, ...[...site].filter(([name]) => name.startsWith('home/'))].flatMap(
      ([address, html]) =>
        listLinks(html)
          .filter((href) => !/^https?:/.test(href) && !ELSEWHERE.includes(href))
          .filter((href) => {
            const [path = '', hash = ''] = href.split('#');
            if (path.startsWith('/docs/assets/')) return !site.has(path.slice('/docs/'.length));
            return !hasId(pages.get(path === '' ? address : path), decodeURIComponent(hash));
          })
          .map((href) => `${address}: ${href}`),
    );
    assert.deepEqual(dead, []);
  });

  it('has every guide and decision, each reachable from every page', () => {
    const guides = listSources('docs/**/*.md').map((source) => source.replace(/^docs|\.md$/g, ''));
    assert.ok(guides.length > 25);
    for (const guide of guides)
      assert.ok(pages.has(`/docs${guide}`) && pages.get('/docs/')?.includes(`href="/docs${guide}"`), guide);
  });

  it('describes every call, with its permission, and every event', () => {
    const reference = [...pages].filter(([address]) => address.startsWith('/docs/api/'));
    for (const { name, permission } of ENDPOINTS) {
      const [, html] = reference.find(([, text]) => hasId(text, name)) ?? [];
      const call = html?.slice(html.indexOf(` id="${name}"`)).split('</section>')[0];
      assert.ok(call && (permission === undefined || call.includes(permission)), name);
    }
    for (const type of EventType.options) assert.ok(hasId(pages.get('/docs/api/events'), type), type);
  });

  it('runs nothing: no page has a script, a style of its own, or HTML that a guide wrote', () => {
    for (const [address, html] of pages)
      assert.doesNotMatch(html, /<script|<style| style=| on[a-z]+="/, address);
    const hostile =
      '# <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n';
    const { html } = renderMarkdown(hostile, 'docs/x.md', new Map());
    assert.doesNotMatch(html, /<script|<img|href="javascript/);
  });
});
