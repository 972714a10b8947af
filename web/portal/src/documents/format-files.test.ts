import assert from 'node:assert/strict';
import { it } from 'node:test';
import { en } from '../words/en.ts';
import { formatFiles } from './format-files.ts';

const format = (paths: string[], total = paths.length): string =>
  formatFiles({ paths, documents: { total, processed: 0, rejected: 0 } }, en.myData.documents);

it('what was uploaded is called what the person chose', () => {
  assert.equal(format(['rec.zip/record.json']), 'rec.zip');
  assert.equal(format(['rec.zip/a.pdf', 'rec.zip/b/c.pdf'], 12), 'rec.zip');
  assert.equal(format(['rec.zip', 'letters/a.pdf']), 'rec.zip, a.pdf');
  assert.equal(format(['a.pdf', 'b.pdf'], 4), 'a.pdf, b.pdf and 2 more');
  assert.equal(format([]), '');
});

it('what is invisible in a name or turns what follows it is shown, not obeyed', () => {
  assert.equal(format(['rec\u202egnp.zip/a.pdf']), 'rec\\u{202E}gnp.zip');
  assert.equal(format(['letters/a\u202efdp.exe', 'b\u200b.pdf']), 'a\\u{202E}fdp.exe, b\\u{200B}.pdf');
});
