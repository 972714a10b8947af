import { lexer, Parser, Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml, toSlug } from './html.ts';
import { resolveLink, type PagesBySource } from './resolve-link.ts';

interface Heading {
  id: string;
  text: string;
}

export interface RenderedGuide {
  title: string;
  /** The first paragraph as text, for lists of pages. */
  lead: string;
  /** Headings of the second level. */
  headings: readonly Heading[];
  html: string;
}

/** Renders a guide. HTML in it is shown as text: none of the guides needs it. */
export function renderMarkdown(markdown: string, source: string, pages: PagesBySource): RenderedGuide {
  const headings: Heading[] = [];
  const tokens = lexer(markdown, { gfm: true });
  const first = tokens.find((token) => token.type === 'heading');
  const paragraph = tokens.find((token) => token.type === 'paragraph');
  const html = Parser.parse(tokens, { renderer: createRenderer(headings, source, pages) });
  return {
    title: (first && toText([first])) ?? source,
    lead: paragraph ? toText([paragraph]) : '',
    headings,
    html,
  };
}

/** Creates the renderer, which collects headings of the second level. */
function createRenderer(headings: Heading[], source: string, pages: PagesBySource): Renderer {
  const renderer = new Renderer();
  const nextId = createIds();
  renderer.heading = ({ tokens, depth }) => {
    const text = toText(tokens);
    const id = nextId(text);
    const inner = renderer.parser.parseInline(tokens);
    if (depth === 1) return `<h1 id="${id}" tabindex="-1">${inner}</h1>\n`;
    if (depth === 2) headings.push({ id, text });
    const anchor = `<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(text)}”">#</a>`;
    return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`;
  };
  renderer.code = ({ text }) => renderCode(text);
  renderer.html = ({ text }) => escapeHtml(text);
  renderer.table = ({ header, rows }) => {
    const cell = (tag: string, { tokens }: Tokens.TableCell): string =>
      `<${tag}>${renderer.parser.parseInline(tokens)}</${tag}>`;
    const head = header.map((each) => cell(each.text.trim() === '' ? 'td' : 'th', each)).join('');
    // A list of names has no head.
    const isHeadless = header.every(({ text }) => text.trim() === '');
    const body = rows.map((cells) => `<tr>${cells.map((each) => cell('td', each)).join('')}</tr>`).join('');
    return wrapTable(
      `<table>${isHeadless ? '' : `<thead><tr>${head}</tr></thead>`}<tbody>${body}</tbody></table>`,
    );
  };
  renderer.link = ({ href, tokens }) => {
    const inner = renderer.parser.parseInline(tokens);
    const address = resolveLink(href, source, pages);
    return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
  };
  // Pictures of the README alone, which is no page here.
  renderer.image = ({ text }) => escapeHtml(text);
  return renderer;
}

/** Creates what names headings; one that repeats gets a number. */
function createIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const slug = toSlug(text);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** Returns the text of what is marked up. */
const toText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? toText(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');

/** What is wider than the page scrolls by itself, by keyboard too. */
export const renderCode = (text: string): string =>
  `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;

export const wrapTable = (table: string): string =>
  `<div class="table" role="group" aria-label="Table" tabindex="0">${table}</div>\n`;
