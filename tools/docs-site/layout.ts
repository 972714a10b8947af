import { escapeHtml } from './html.ts';

export interface NavigationItem {
  title: string;
  href: string;
}

export interface NavigationGroup {
  title: string;
  items: readonly NavigationItem[];
}

export interface Layout {
  /** The address of the style sheet. */
  style: string;
  groups: readonly NavigationGroup[];
}

export interface DocsPage {
  title: string;
  href: string;
  /** Sections of the page, shown below its own line of the navigation. */
  sections?: readonly NavigationItem[];
  html: string;
}

/** The gate with the leaf, as `web/kit/logo.tsx` draws it. */
export const LOGO =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark-ground" width="32" height="32" rx="8"/><path class="mark-gate" d="M7.5 25.5V15a8.5 8.5 0 0 1 17 0v10.5"/><path class="mark-leaf" d="M16 25.5c-4.1-1.7-5.2-6.6 0-12.5 5.2 5.9 4.1 10.8 0 12.5z"/></svg>';

export const renderHead = (title: string, style: string): string =>
  `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${escapeHtml(title)}</title><link rel="icon" type="image/svg+xml" href="/docs/assets/mark.svg"><link rel="stylesheet" href="${style}">`;

/** Renders a page of the documentation; it needs no script. */
export function renderPage({ style, groups }: Layout, page: DocsPage): string {
  const navigation = renderNavigation(groups, page);
  return `<!doctype html>
<html lang="en">
<head>${renderHead(`${page.title} · Chartgate`, style)}</head>
<body class="docs">
<a class="skip" href="#content">Skip to the text</a>
<header class="docs-head"><a class="docs-name" href="/docs/">${LOGO}Chartgate</a><span class="docs-links"><a href="/docs/api/">API reference</a><a href="/">Where to go</a></span></header>
<details class="docs-menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>
<div class="docs-body">
<nav class="docs-nav" aria-label="Documentation">${navigation}</nav>
<main id="content" class="docs-text">
${page.html}</main>
</div>
</body>
</html>
`;
}

const renderNavigation = (groups: readonly NavigationGroup[], page: DocsPage): string =>
  groups
    .map(
      ({ title, items }) =>
        `<p class="docs-group">${escapeHtml(title)}</p><ul>${items.map((item) => renderItem(item, page)).join('')}</ul>`,
    )
    .join('');

function renderItem({ title, href }: NavigationItem, page: DocsPage): string {
  if (href !== page.href) return `<li><a href="${href}">${escapeHtml(title)}</a></li>`;
  const sections = (page.sections ?? []).map(
    (section) => `<li><a href="${section.href}">${escapeHtml(section.title)}</a></li>`,
  );
  const inner = sections.length > 0 ? `<ul>${sections.join('')}</ul>` : '';
  return `<li><a href="${href}" aria-current="page">${escapeHtml(title)}</a>${inner}</li>`;
}
