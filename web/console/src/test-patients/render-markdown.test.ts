import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderToStaticMarkup } from 'react-dom/server';
import { escapeValue, fenced } from '../../../../server/surfaces/mcp/render/escape-markdown.ts';
import { renderMarkdown } from './render-markdown.ts';

const render = (text: string): string => renderToStaticMarkup(renderMarkdown(text));

describe('the answer of a tool, rendered', () => {
  it('has headings below those of the page, tables with their heads, lists, emphasis and fences', () => {
    const html = render(
      '# Conditions\n\n| Day | Name |\n|---|---|\n| 2024-01-02 | *Asthma* |\n\n- one\n- **two**\n\n```text\na < b\n```\n',
    );
    assert.match(html, /^<h4>Conditions<\/h4>/);
    assert.match(html, /<th scope="col">Day<\/th>/);
    assert.match(html, /<td><span class="answer-day">2024-01-02<\/span><\/td>/);
    assert.match(html, /<td><em>Asthma<\/em><\/td>/);
    assert.match(html, /<ul><li>one<\/li><li><strong>two<\/strong><\/li><\/ul>/);
    assert.match(html, /<pre class="code">a &lt; b<\/pre>/);
    assert.match(html, /aria-label="Day, Name"/);
  });

  // Each would be an element, an address or a request in a browser, had it been taken for Markdown or HTML.
  const HOSTILE = [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '[press](javascript:alert(1))',
    '![](https://elsewhere.example/pixel.png)',
    '<https://elsewhere.example>',
    'https://elsewhere.example',
    '[x]: https://elsewhere.example',
    '<!-- hidden -->',
    '<table><tr onclick="x()"><td>cell</td></tr></table>',
    '| <b onmouseover=x()>cell</b> |\n|---|\n| <iframe src=//elsewhere.example> |',
    '# <a href="javascript:x()">head</a>',
    '> - ![x](data:text/html,<script>x()</script>)',
  ];

  for (const text of HOSTILE)
    it(`case 314: shows ${text.slice(0, 30)} as it is written, and nothing of it acts`, () => {
      const html = render(text);
      const allowed =
        /^(h[4-6]|p|ul|ol|li|table|thead|tbody|tr|t[hd]|blockquote|pre|code|span|em|strong|del|hr|br|div)$/;
      for (const [, name = ''] of html.matchAll(/<\/?([a-z0-9]+)/g)) assert.match(name, allowed, html);
      const markup = html.replaceAll(/"[^"]*"/g, '""');
      assert.doesNotMatch(markup, /<[^>]*\b(href|src|on\w+|style)\b[^>]*=/);
    });

  it('shows a value that the service has escaped as it stands in the record', () => {
    for (const value of ['<script>alert(1)</script>', 'a|b*c*_d_', '# no heading', '<0.1 & >5', 'AT&amp;T']) {
      const html = render(`before ${escapeValue(value)}`);
      const text = html.replace(/<[^>]+>/g, '');
      const shown = text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#x27;', "'")
        .replaceAll('&amp;', '&');
      assert.ok(shown.includes(value), `${value}: ${shown}`);
    }
    assert.match(render(fenced('```\n<b>x</b>')), /<pre class="code">```\n&lt;b&gt;x&lt;\/b&gt;<\/pre>/);
  });
});
