import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toCsvLine } from './csv.ts';

it('quotes what would end a cell, and keeps a spreadsheet from running one', () => {
  assert.equal(toCsvLine(['a', 1, null, -2]), 'a,1,,-2\r\n');
  assert.equal(toCsvLine(['a,b', 'say "no"', 'two\nlines']), '"a,b","say ""no""","two\nlines"\r\n');
  assert.equal(
    toCsvLine(['=1+1', '+1', '-1', '@a', '\t=1', '=a,"b"']),
    `'=1+1,'+1,'-1,'@a,'\t=1,"'=a,""b"""\r\n`,
  );
});
