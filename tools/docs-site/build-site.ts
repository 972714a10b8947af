import { createHash } from 'node:crypto';
import { renderHomePages } from './home.ts';
import { escapeHtml, renderSentence } from './html.ts';
import { renderPage, type Layout, type NavigationGroup } from './layout.ts';
import { listPageGroups, listShownFiles } from './pages.ts';
import { readSource } from './read-source.ts';
import { buildReference } from './reference/build-reference.ts';
import { renderCode, renderMarkdown, type RenderedGuide } from './render-markdown.ts';

const STYLES = ['web/kit/tokens.css', 'web/kit/base.css', 'web/docs/mark.css', 'web/docs/docs.css'];

interface Guide extends RenderedGuide {
  path: string;
}

/** Builds every file of the documentation: the folder's relative name and the text of each. */
export function buildSite(): Map<string, string> {
  const css = STYLES.map(readSource).join('\n');
  const style = `assets/docs-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`;
  const guides = renderGuides();
  const reference = buildReference();
  const groups: NavigationGroup[] = [
    ...guides.map(({ title, pages }) => ({
      title,
      items: pages.map((guide) => ({ title: guide.title, href: `/docs/${guide.path}` })),
    })),
    {
      title: 'API reference',
      items: reference.map(({ title, href }) => ({ title, href })),
    },
  ];
  const layout: Layout = { style: `/docs/${style}`, groups };
  return new Map([
    [style, css],
    ['assets/mark.svg', readSource('web/kit/mark.svg')],
    ['index.html', renderPage(layout, { title: 'Documentation', href: '/docs/', html: renderIndex(guides) })],
    ...guides.flatMap(({ pages }) => pages.map((guide) => renderGuidePage(layout, guide))),
    ...listShownFiles().map(({ source, path }) => {
      const html = `<h1>${escapeHtml(source)}</h1>\n${renderCode(readSource(source))}`;
      return [`${path}.html`, renderPage(layout, { title: source, href: `/docs/${path}`, html })] as const;
    }),
    ...reference.map((page) => {
      const file = page.href.endsWith('/') ? `${page.href}index` : page.href;
      return [`${file.replace('/docs/', '')}.html`, renderPage(layout, page)] as const;
    }),
    ...renderHomePages(layout.style),
  ]);
}

function renderGuides(): { title: string; pages: Guide[] }[] {
  const groups = listPageGroups();
  const pages = new Map(
    [...groups.flatMap((group) => group.pages), ...listShownFiles()].map(({ source, path }) => [
      source,
      path,
    ]),
  );
  return groups.map((group) => ({
    title: group.title,
    pages: group.pages.map(({ source, path, about }) => {
      const guide = renderMarkdown(readSource(source), source, pages);
      return { ...guide, path, lead: about ?? toFirstSentence(guide.lead) };
    }),
  }));
}

function renderGuidePage(layout: Layout, { path, title, headings, html }: Guide): readonly [string, string] {
  const sections = headings.map(({ id, text }) => ({ title: text, href: `#${id}` }));
  return [`${path}.html`, renderPage(layout, { title, href: `/docs/${path}`, sections, html })];
}

/** The first group are the starts, shown as cards; of the others each guide with its first sentence. */
function renderIndex([starts, ...others]: readonly { title: string; pages: Guide[] }[]): string {
  const card = ({ path, title, lead }: Guide): string =>
    `<li class="docs-card"><h2><a href="/docs/${path}">${escapeHtml(title)}</a></h2><p>${renderSentence(lead)}</p></li>`;
  const row = ({ path, title, lead }: Guide): string =>
    `<li><a href="/docs/${path}">${escapeHtml(title)}</a> <span class="soft">${renderSentence(lead)}</span></li>`;
  const list = others.map(
    ({ title, pages }) =>
      `<section><h2>${escapeHtml(title)}</h2><ul class="docs-list">${pages.map(row).join('')}</ul></section>`,
  );
  return `<h1>Documentation</h1>
<p class="lead">A patient's health record, read by an AI agent or a partner system only while the patient consents. Where do you begin?</p>
<ul class="docs-cards">${(starts?.pages ?? []).map(card).join('')}</ul>
<section><h2>API reference</h2><p>Every call, what it takes and what it answers: <a href="/docs/api/">API reference</a>. The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p></section>
${list.join('\n')}
`;
}

/** Up to the first full stop that ends a sentence. */
const toFirstSentence = (text: string): string =>
  /^.+?[.:](?=\s|$)/su.exec(text)?.[0].replace(/:$/, '.') ?? text;
