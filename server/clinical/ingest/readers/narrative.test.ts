import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSafeNarrative } from './narrative.ts';

const div = (inner: string): string => `<div xmlns="http://www.w3.org/1999/xhtml">${inner}</div>`;

describe('a narrative', () => {
  const passes = [
    div('some text in no particular language'),
    '<n:div xmlns:n="http://www.w3.org/1999/xhtml"><n:p>prefixed</n:p></n:div>',
    div('<p class="a" style="color: red">a &lt; b &amp; c&nbsp;</p><br/><br><hr />'),
    div("<table><tbody><tr><td colspan='2'>1</td></tr></tbody></table>"),
    div('<a href="https://example.org/?a=b" title="see">x</a><a name="y"/><a href="#y">y</a>'),
    div('<img src="data:image/png;base64,AAAA" alt="scan"/>'),
    div('<!-- generated --><center><u>old markup</u></center>'),
    '\n <div>without a namespace</div> \n',
    'plain text, no markup at all',
    '',
  ];
  for (const text of passes) it(`passes: ${text}`, () => assert.equal(isSafeNarrative(text), true));

  const refused = [
    div('<script>x</script>'),
    div('<n:script xmlns:n="http://www.w3.org/1999/xhtml">x</n:script>'),
    div('<SCRIPT>x</SCRIPT>'),
    div('<style>p {}</style>'),
    div('<iframe src="https://example.org"></iframe>'),
    div('<svg><a/></svg>'),
    div('<p onclick="x()">x</p>'),
    div('<img src="x" OnError="x()"/>'),
    div('<a href="javascript:x()">x</a>'),
    div('<a href=" java&#x09;script&colon;x()">x</a>'),
    div('<a href="&#106;avascript:x()">x</a>'),
    div('<a href="data:text/html,x">x</a>'),
    div('<p style="width: expression(x())">x</p>'),
    div('<!DOCTYPE foo [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>&xxe;'),
    div('<![CDATA[<script>x</script>]]>'),
    div('<?xml-stylesheet href="x"?>'),
    div('<!--><script>x</script>-->'),
    div('<!-- --!><script>x</script>-->'),
    div('<p>not closed by its own</pa>'),
    div('<p>not closed'),
    div('a < b'),
    `${div('')}${div('')}`,
    `text before ${div('')}`,
    div('<b>'.repeat(300) + '</b>'.repeat(300)),
  ];
  for (const text of refused) {
    it(`is refused: ${text.slice(0, 100)}`, () => assert.equal(isSafeNarrative(text), false));
  }

  it('is checked in linear time', () => {
    const started = process.threadCpuUsage();
    for (const hostile of ['<!--', '<a ', '<a b="c" ', '<', '<a\t\t\t', '<a href="&#']) {
      isSafeNarrative(hostile.repeat(200_000));
    }
    isSafeNarrative(`<a ${' '.repeat(1_000_000)}`);
    assert.ok(process.threadCpuUsage(started).user < 2_000_000, 'two seconds of the processor');
  });
});
