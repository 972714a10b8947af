import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DocumentError } from '../converter.ts';
import { convertRtf } from './convert-rtf.ts';
import { readRtf, extractRtfText } from './rtf-text.ts';

const FONTS = String.raw`{\fonttbl{\f0\fnil\fcharset0 Calibri;}{\f1\froman\fcharset2 Symbol;}{\f2\fcharset204 Arial;}{\f3\fcharset128 Mincho;}{\f4\fnil\fcharset2 Wingdings;}}`;
const rtf = (body: string, head = String.raw`\ansi\ansicpg1252\deff0`): Buffer =>
  Buffer.from(`{\\rtf1${head}${FONTS}${body}}`, 'latin1');
const extractText = (body: string, head?: string): string => extractRtfText(rtf(body, head));

describe('the text of an RTF document', () => {
  it('has a line for each paragraph, and no invisible white space', () => {
    assert.equal(
      extractText(String.raw`\pard One \b bold\b0  word.\par\par\par\par Two\line three\par`),
      'One bold word.\n\nTwo\nthree',
    );
  });

  it('has a table row on one line, its cells apart', () => {
    const row = String.raw`\trowd\cellx1000\cellx2000\intbl Glucose\cell 5.4\cell\row`;
    assert.equal(extractText(`${row}\n${row}`), 'Glucose\t5.4\nGlucose\t5.4');
  });

  it('is without fonts, colours, styles, pictures, field codes, deleted text and unknown destinations', () => {
    const body = String.raw`{\colortbl;\red1;}{\stylesheet{\s1 Heading;}}{\*\generator Word;}{\info{\title T}}{\pict\pngblip 89504e47}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt here}}{\deleted gone}{\*\unknown no}{\object{\objdata 0105}{\result shown}}`;
    assert.equal(extractText(body), 'hereshown');
  });

  it('has hidden text, headers, footnotes, comments and text boxes: they are part of the record', () => {
    const body = String.raw`{\header Clinic\par}Text{\v hidden}{\footnote see below}{\shp{\*\shpinst{\sp{\sn name}{\sv value}}{\shptxt box\par}}}`;
    assert.equal(extractText(body), 'Clinic\n\nTexthidden [see below]\nbox');
  });

  it('is decoded by the code page of the document or of the font', () => {
    assert.equal(extractText(String.raw`\'e4\'80 {\f2\'cf\'f0\'e8} {\f3\'83A\'83n}`), 'ä€ При アハ');
    assert.equal(extractText(String.raw`\'81\'e1`, String.raw`\pc`), 'üß');
    assert.equal(extractText(String.raw`\'e4`, String.raw`\ansi\ansicpg1251`), 'д');
    assert.equal(extractText(String.raw`\'8a`, String.raw`\mac`), 'ä');
  });

  it('never reads the µ of the Symbol font as the letter m', () => {
    assert.equal(extractText(String.raw`5 {\f1 m}g, {\f1\'b3} 3, {\f1 \u-3987 ?}g`), '5 μg, ≥ 3, μg');
    assert.equal(extractText(String.raw`{\f4\'fc} done`), '✔ done');
  });

  it('has Unicode characters once, without the fallback for old readers', () => {
    assert.equal(
      extractText(String.raw`\u8805\'3e 3 \u945?\u-10179?\u-8704? {\uc2\u8364??x}{\uc0\u8364 x}`),
      '≥ 3 α😀 €x€x',
    );
    assert.equal(extractText(String.raw`{\upr{plain}{\*\ud{\u945?}}}`), 'α');
  });

  it('shows which boxes are ticked', () => {
    const box = (result: number): string =>
      String.raw`{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres${result}\ffdefres1{\*\ffname Check1}}}}{\fldrslt}}`;
    assert.equal(extractText(`${box(0)} no ${box(1)} yes ${box(25)} default`), '☐ no ☒ yes ☒ default');
  });

  it('is unaffected by binary data, and by bytes after the last brace', () => {
    assert.equal(
      extractRtfText(Buffer.concat([rtf(String.raw`a{\pict\bin3 }}}}b`), Buffer.from('\0\0')])),
      'ab',
    );
    assert.equal(extractText(String.raw`a\bin99999999999 b`), 'a');
  });

  it('has no lone surrogates and no NUL, which the database refuses', () => {
    assert.equal(extractText(String.raw`a\u-10179 b` + '\0'), 'a\ufffd');
  });

  it('comes with the day of its creation', () => {
    assert.equal(readRtf(rtf(String.raw`{\info{\creatim\yr2015\mo3\dy4\hr5}}x`)).created, '2015-03-04');
    assert.equal(readRtf(rtf(String.raw`{\info{\creatim\yr0\mo0\dy0}}x`)).created, null);
  });
});

describe('an RTF document', () => {
  it('is read as far as it goes where it is cut off, with a notice', () => {
    const bytes = Buffer.from(String.raw`{\rtf1 Half a note`);
    const { resources, notices } = convertRtf({ bytes, path: 'a/b.rtf', documentId: 'd' });
    assert.equal(resources.length, 1);
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['cut_off'],
    );
  });

  it('is refused where it is not RTF', () => {
    assert.throws(() => extractRtfText(Buffer.from('hello')), { name: 'DocumentError', code: 'not_rtf' });
  });

  it('is refused where it is nested too deep', () => {
    assert.throws(() => extractRtfText(rtf('{'.repeat(100_000))), { code: 'too_deep' });
  });

  it('is read or refused whatever it holds, and its text is well-formed', () => {
    const word = fc.constantFrom(
      '\\par',
      '\\u',
      '\\u-1 ',
      '\\uc9',
      "\\'",
      "\\'e",
      "\\'83",
      '\\f1',
      '\\f3',
      '\\bin',
      '\\bin-5',
      '\\*',
      '{',
      '}',
      '{\\*\\ud',
      '{\\upr',
      '{\\fonttbl',
      '\\fcharset2',
      '\\plain',
      '\\',
      '{\\field',
      '{\\*\\formfield',
      '\\deleted0',
      '\\ansicpg99999 ',
      '\\cpg-1',
    );
    const piece = fc.oneof(word, fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          const text = extractRtfText(Buffer.from(`{\\rtf1${pieces.join('')}`, 'latin1'));
          assert.ok(text.isWellFormed() && !text.includes('\0'));
        } catch (error) {
          assert.ok(error instanceof DocumentError, String(error));
        }
      }),
      { numRuns: 200 },
    );
  });
});
