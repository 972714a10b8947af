import assert from 'node:assert/strict';
import { it } from 'node:test';
import { writeCsv } from './write-csv.ts';

it('a saved list runs nothing in a spreadsheet, and keeps numbers as numbers', () => {
  const cells = [
    '=HYPERLINK("https://evil.example")',
    '+1 555 0100',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    'a "b", c\nd',
  ];
  assert.equal(
    writeCsv([['Name', 'Reads'], ...cells.map((cell, index) => [cell, -index])]),
    [
      '\ufeffName,Reads',
      '"\'=HYPERLINK(""https://evil.example"")",0',
      '"\'+1 555 0100",-1',
      '"\'-2+3",-2',
      '"\'@SUM(A1)",-3',
      '"\'\t=1",-4',
      '"a ""b"", c\nd",-5',
      '',
    ].join('\r\n'),
  );
});
