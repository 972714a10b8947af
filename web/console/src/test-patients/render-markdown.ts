import { lexer, type Token, type Tokens } from 'marked';
import { createElement, type ReactNode } from 'react';

/**
 * Renders the Markdown of an answer as elements of our own. It comes from a record, which anybody may have written: there is
 * no raw HTML, no link, no picture and no address in what becomes of it, only the text of these.
 */
export const renderMarkdown = (text: string): ReactNode => renderTokens(lexer(text, { gfm: true }));

const renderTokens = (tokens: readonly Token[] | undefined): ReactNode[] =>
  (tokens ?? []).map((token, key) => renderToken(token, key));

/** The elements of tokens that only hold others. */
const ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['paragraph', 'p'],
  ['blockquote', 'blockquote'],
  ['strong', 'strong'],
  ['em', 'em'],
  ['del', 'del'],
]);

function renderToken(token: Token, key: number): ReactNode {
  const element = ELEMENTS.get(token.type);
  if (element !== undefined) return createElement(element, { key }, renderTokens(getTokens(token)));
  switch (token.type) {
    case 'space':
      return null;
    case 'hr':
    case 'br':
      return createElement(token.type, { key });
    case 'heading':
      return renderHeading(token as Tokens.Heading, key);
    case 'list':
      return renderList(token as Tokens.List, key);
    case 'table':
      return renderTable(token as Tokens.Table, key);
    case 'code':
      return createElement('pre', { key, className: 'code' }, (token as Tokens.Code).text);
    case 'codespan':
      return createElement('code', { key }, (token as Tokens.Codespan).text);
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return getTokens(token) ? renderTokens(getTokens(token)) : renderText((token as Tokens.Text).text);
    // Links, pictures, definitions and HTML are shown as they are written.
    default:
      return token.raw;
  }
}

const getTokens = (token: Token): Token[] | undefined => ('tokens' in token ? token.tokens : undefined);

/** An answer stands below the third heading of the page. */
const renderHeading = ({ depth, tokens }: Tokens.Heading, key: number): ReactNode =>
  createElement(`h${Math.min(depth + 3, 6)}`, { key }, renderTokens(tokens));

const renderList = ({ ordered, start, items }: Tokens.List, key: number): ReactNode =>
  createElement(
    ordered ? 'ol' : 'ul',
    { key, ...(ordered && start !== '' && { start }) },
    items.map((item, index) => createElement('li', { key: index }, renderTokens(item.tokens))),
  );

function renderTable({ header, rows }: Tokens.Table, key: number): ReactNode {
  const renderRow = (cells: readonly Tokens.TableCell[], element: 'th' | 'td', row: number) =>
    createElement(
      'tr',
      { key: row },
      cells.map((cell, index) =>
        createElement(
          element,
          { key: index, ...(element === 'th' && { scope: 'col' }) },
          renderTokens(cell.tokens),
        ),
      ),
    );
  const label = header.map(({ text }) => text).join(', ');
  return createElement(
    'div',
    // It scrolls by itself where it is wide, so it has to take the focus.
    { key, className: 'table-scroll', role: 'group', tabIndex: 0, 'aria-label': label },
    createElement(
      'table',
      { className: 'table' },
      createElement('thead', null, renderRow(header, 'th', 0)),
      createElement(
        'tbody',
        null,
        rows.map((cells, row) => renderRow(cells, 'td', row)),
      ),
    ),
  );
}

/** Days stay on one line: they break at their hyphens else. */
function renderText(text: string): ReactNode {
  const parts = decodeEntities(text).split(/(\b\d{4}-\d{2}-\d{2}\b)/);
  if (parts.length === 1) return parts[0];
  return parts.map((part, index) =>
    index % 2 === 1 ? createElement('span', { key: index, className: 'answer-day' }, part) : part,
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** The service writes these where a character would be Markdown or HTML. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
