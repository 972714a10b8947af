import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertHtml } from './convert-html.ts';
import { extractHtmlDocumentText, isDeeperThan } from './convert-html.ts';
import { htmlToText } from './html-to-text.ts';

describe('the text of an HTML page', () => {
  it('has a line for each block, item and table row', () => {
    const html = `<h1>Visit</h1><p>Two<br>lines</p><ul><li>a</li><li>b<ol start="3"><li>c</ol></ul>
      <table><caption>Labs</caption><tr><th>Test<th>Value<tr><td><p>Glucose</p></td><td>5.4</td></tr></table><pre>x
  y</pre>`;
    assert.equal(
      extractHtmlDocumentText(html),
      'Visit\n\nTwo\nlines\n- a\n- b\n  3. c\nLabs\nTest | Value\nGlucose | 5.4\n\nx\n  y',
    );
  });

  it('has a line for each term, legend and other block, in both ways of reading', () => {
    const html =
      '<dl><dt>HIV</dt><dd>positive</dd></dl><fieldset><legend>Plan</legend>x</fieldset><figure><figcaption>y</figcaption></figure><details><summary>More</summary>z</details>';
    for (const text of [extractHtmlDocumentText(html), htmlToText(html)])
      assert.equal(text.replaceAll(/\n+/g, '\n'), 'HIV\npositive\nPlan\nx\ny\nMore\nz');
  });

  it('has all entities decoded, and keeps a lone <', () => {
    assert.equal(
      extractHtmlDocumentText('<p>5 &mu;g &ge; 3 &lt; 4, M&uuml;ller &#x2713; a < b'),
      '5 μg ≥ 3 < 4, Müller ✓ a < b',
    );
  });

  it('is without scripts, styles, heads, addresses and pictures', () => {
    const html =
      '<html><head><title>T</title><style>p{}</style></head><body><script>x()</script><a href="http://x/y">link</a><img src="http://x/i" alt="i"><template>t</template>!';
    assert.equal(extractHtmlDocumentText(html), 'link!');
  });

  it('is extracted without a tree from pages that are very deep or very large', () => {
    for (const html of [
      `${'<b>'.repeat(200_000)}<p>x</p>`,
      `<p>x</p>${'<p><td><li>'.repeat(100_000)}`,
      `${'<i></i> '.repeat(400_000)}x`,
    ])
      assert.equal(
        extractHtmlDocumentText(html)
          .trim()
          .replaceAll(/[-|\s]+/g, ''),
        'x',
      );
  });
});

describe('the depth of a page', () => {
  it('does not count elements with implied end tags, nor void elements', () => {
    assert.equal(
      isDeeperThan(
        '<table><tr><td>x<td>y<tr><td>z</table><div><p>a<p>b<br></div><ul><li>c<li>d</ul>'.repeat(50),
        8,
      ),
      false,
    );
    assert.equal(isDeeperThan('<p><td><li>'.repeat(50), 100), true);
    assert.equal(isDeeperThan(`${'<div>'.repeat(50)}${'</div>'.repeat(50)}`.repeat(3), 50), false);
  });
});

describe('an HTML page', () => {
  it('becomes a note in the encoding it declares', () => {
    const bytes = Buffer.from('<meta charset="windows-1252"><p>M\xfcller</p>', 'latin1');
    const { resources } = convertHtml({ bytes, path: 'a/visit.html', documentId: 'd' });
    const resource = JSON.parse(resources[0]!.text) as {
      description: string;
      content: [{ attachment: { data: string } }];
    };
    assert.equal(resource.description, 'visit.html');
    assert.equal(Buffer.from(resource.content[0].attachment.data, 'base64').toString(), 'Müller');
  });
});
