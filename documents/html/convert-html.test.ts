import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertHtml } from './convert-html.ts';
import { extractHtmlDocumentText, isDeeperThan } from './convert-html.ts';
import { htmlToFullText, htmlToText } from './html-to-text.ts';

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

  it('is without what is struck out, in both ways of reading, and keeps the rest', () => {
    for (const [html, text] of [
      [
        '<p><s>Take warfarin.</s> <del>Take aspirin.</del> <strike>Take both.</strike> Stop both.</p>',
        'Stop both.',
      ],
      ['<span style="color:red; text-decoration: LINE-THROUGH">Take sotalol.</span> Stop all.', 'Stop all.'],
      ['<p>İİİİ <del>Take warfarin.</del> Stop.</p><PRE>x  İ</PRE>', 'İİİİ Stop.\nx İ'],
      ["<s title='a'>a<b>b</b><s>c</s>d</s>e", 'e'],
      [
        '<table><tr><td>a</td><td style="text-decoration-line:line-through">5 mg</td><td>daily</td></tr></table>',
        'a | | daily',
      ],
      ['<ul><li style="text-decoration:line-through">a<ul><li>b</ul><li>c</ul>', 'c'],
      // Nothing ends these.
      ['<div><s>Take warfarin.</div><p>Rest', 'Take warfarin.\nRest'],
      ['<p style="text-decoration:line-through">a<div>b</div>', 'b'],
      ['<s/>a <!-- <s> --> b </s> <small>c</small> 1 <s 2', 'a b c 1'],
      ['<p title="text-decoration: line-through">a</p>', 'a'],
      ['<p style="text-decoration:line-through;text-decoration:none">a</p>', 'a'],
      ["<p style='color: red; text-decoration: line-through red'>a</p>b", 'b'],
      ['<span title="line-through">a</span><span style="text-decoration:underline">b</span>', 'ab'],
    ] as const)
      for (const read of [extractHtmlDocumentText, htmlToText])
        assert.equal(
          read(html)
            .replaceAll(/\n+/g, '\n')
            .replaceAll(/ +/g, ' ')
            .replace(/^[-\s]+/, '')
            .trim(),
          text,
          html,
        );
  });

  it('keeps what stands in the cell behind one in which something struck out has no end', () => {
    for (const read of [extractHtmlDocumentText, htmlToText])
      assert.match(read('<table><tr><td>a<td><s>5 mg<td>10 mg</s><tr><td>d</table>'), /10 mg/);
  });

  it('has what is struck out where all of it counts', () => {
    assert.equal(htmlToFullText('<p><s>Take warfarin.</s> Stop.</p>'), 'Take warfarin. Stop.');
  });

  it('is extracted without a tree from pages that are very deep or very large', () => {
    for (const html of [
      `${'<b>'.repeat(200_000)}<p>x</p>`,
      `<p>x</p>${'<p><td><li>'.repeat(100_000)}`,
      `${'<i></i> '.repeat(400_000)}x`,
      `${'<s>'.repeat(200_000)}y${'</s>'.repeat(200_000)}x`,
      `${'<p></s>'.repeat(200_000)}<s>y</s>x`,
      `${'<s><td></td>'.repeat(100_000)}x`,
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
