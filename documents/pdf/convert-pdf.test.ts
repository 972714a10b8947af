import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DATA_FOLDER, readZipFiles, skip } from '../../test/data/sample-data.ts';
import type { Conversion } from '../converter.ts';
import { convertPdf } from './convert-pdf.ts';
import { extractPdfText } from './pdf-text.ts';

interface Made {
  /** Entries of the document information dictionary, as written. */
  info?: string;
  /** Entries of the trailer. */
  trailer?: string;
  /** Entries of every page. */
  page?: string;
}

/** A PDF whose pages have these content streams (ISO 32000-1 §7.5). */
function buildPdf(pages: readonly string[], { info = '', trailer = '', page = '' }: Made = {}): Buffer {
  const kids = pages.map((_, index) => `${5 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    `<<${info}>>`,
    ...pages.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>/Contents ${6 + 2 * index} 0 R ${page}>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R/Info 4 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(text + xref + end, 'latin1');
}

/** Words at a place, in points from the lower left corner. */
const at = (x: number, y: number, words: string): string =>
  `BT /F 10 Tf 1 0 0 1 ${x} ${y} Tm (${words}) Tj ET\n`;

const extractText = async (...pages: string[]): Promise<string> =>
  (await extractPdfText(buildPdf(pages))).text;
const convert = async (bytes: Buffer): Promise<Conversion> =>
  convertPdf({ bytes, path: 'scans/x.pdf', documentId: 'd' });

describe('what a PDF holds beside its text', () => {
  const read = async (made: Made) =>
    (await extractPdfText(buildPdf([at(50, 700, 'The knee')], made))).besides;

  it('is read: properties, comments, values of forms (case 356)', async () => {
    for (const made of [
      { info: '/Keywords(HIV positive)' },
      { page: '/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(HIV positive)>>]' },
      {
        page: '/Annots[<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(HIV positive)/DA(/F 0 Tf)/Rect[0 0 9 9]>>]',
      },
    ]) {
      const { words, isComplete } = await read(made);
      assert.match(words.join(), /HIV positive/, JSON.stringify(made));
      assert.equal(isComplete, true);
    }
    assert.doesNotMatch((await read({})).words.join(), /HIV/);
  });

  it('is incomplete where it is a file', async () => {
    const attached =
      '/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(a)/EF<</F 6 0 R>>>>>>]';
    assert.equal((await read({ page: attached })).isComplete, false);
  });
});

describe('the text of a PDF', () => {
  it('has the lines of a page from top to bottom, in whatever order they were written', async () => {
    assert.equal(
      await extractText(at(50, 688, 'second') + at(50, 700, 'first') + at(50, 600, 'far below')),
      'first\nsecond\n\nfar below',
    );
  });

  it('has the cells of a row on one line, also when the table was written column by column', async () => {
    const names = at(50, 700, 'Glucose') + at(50, 688, 'Sodium');
    const values = at(200, 700, '5.4') + at(200, 688, '140');
    assert.equal(await extractText(names + values), 'Glucose   5.4\nSodium   140');
  });

  it('keeps raised figures and letters set one by one in their words', async () => {
    const word = ['H', 'b'].map((letter, index) => at(50 + 7 * index, 700, letter)).join('');
    assert.equal(await extractText(`${word}${at(72, 702, '12')}`), 'Hb 12');
  });

  it('has text once that was printed twice for bold', async () => {
    assert.equal(
      await extractText(at(50, 700, 'Bold') + at(50.3, 700, 'Bold') + at(120, 700, 'Bold')),
      'Bold   Bold',
    );
  });

  it('reads columns of running text one after the other', async () => {
    const line = (x: number, name: string): string =>
      Array.from({ length: 12 }, (_, row) =>
        at(x, 700 - 12 * row, `${name} column line ${row} is full of words here`),
      ).join('');
    const text = await extractText(
      at(50, 740, 'Title') + line(50, 'left') + line(320, 'right') + at(50, 400, 'Footer'),
    );
    const lines = text.split('\n').filter((each) => each !== '');
    assert.equal(lines[0], 'Title');
    assert.equal(lines[12], 'left column line 11 is full of words here');
    assert.equal(lines[13], 'right column line 0 is full of words here');
    assert.equal(lines.at(-1), 'Footer');
  });

  it('is read in the orientation of a rotated page', async () => {
    const turned = (x: number, words: string): string => `BT /F 10 Tf 0 1 -1 0 ${x} 50 Tm (${words}) Tj ET\n`;
    const { text } = await extractPdfText(
      buildPdf([turned(112, 'below') + turned(100, 'above')], { page: '/Rotate 90' }),
    );
    assert.equal(text, 'above\nbelow');
  });

  it('marks where pages begin when there are several, and which have no text', async () => {
    const { text, pages, pagesWithoutText } = await extractPdfText(
      buildPdf([at(50, 700, 'one'), '', at(50, 700, 'three')]),
    );
    assert.equal(
      text,
      '[Page 1]\none\n\n[Page 2]\n[No text on this page: perhaps a scan or a picture]\n\n[Page 3]\nthree',
    );
    assert.deepEqual({ pages, pagesWithoutText }, { pages: 3, pagesWithoutText: [2] });
  });

  it('has title and creation date only where they are plausible', async () => {
    const readInfo = async (info: string): Promise<unknown> => {
      const { title, created } = await extractPdfText(buildPdf([''], { info }));
      return [title, created];
    };
    assert.deepEqual(await readInfo("/Title(Discharge summary)/CreationDate(D:20151116103000-05'00')"), [
      'Discharge summary',
      '2015-11-16T10:30:00-05:00',
    ]);
    assert.deepEqual(await readInfo('/Title(Microsoft Word - x.doc)/CreationDate(D:20151116103000)'), [
      null,
      '2015-11-16',
    ]);
    assert.deepEqual(await readInfo('/Title(scan0001.tif)/CreationDate(D:19700101000000Z)'), [null, null]);
    assert.deepEqual(await readInfo('/Title(1)/CreationDate(D:20150231)'), [null, null]);
  });
});

describe('a PDF', () => {
  it('becomes a note of its text, dated by its creation', async () => {
    const { resources, notices } = await convert(
      buildPdf([at(50, 700, 'Hello')], { info: '/Title(Clinic letter)/CreationDate(D:20151116103000Z)' }),
    );
    assert.deepEqual(notices, []);
    assert.deepEqual(JSON.parse(resources[0]!.text), {
      resourceType: 'DocumentReference',
      id: 'd',
      status: 'current',
      category: [{ text: 'Document (PDF)' }],
      description: 'Clinic letter (x.pdf)',
      content: [
        {
          attachment: {
            contentType: 'text/plain; charset=utf-8',
            data: Buffer.from('Hello').toString('base64'),
            title: 'x.pdf',
            creation: '2015-11-16T10:30:00Z',
          },
        },
      ],
    });
  });

  it('becomes a note without text where it was scanned', async () => {
    const { resources, notices } = await convert(buildPdf(['', '']));
    const { description, content } = JSON.parse(resources[0]!.text) as {
      description: string;
      content: unknown;
    };
    assert.equal(description, 'x.pdf: scanned document, 2 pages without readable text');
    assert.deepEqual(content, [{ attachment: { contentType: 'application/pdf', title: 'x.pdf' } }]);
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['no_text'],
    );
  });

  it('gives a notice where it was scanned in part', async () => {
    const { notices } = await convert(buildPdf([at(50, 700, 'x'), '', '', at(50, 700, 'y'), '']));
    assert.deepEqual(notices, [
      {
        position: '',
        code: 'pages_without_text',
        message: 'No readable text on pages 2–3, 5 of 5, perhaps because it is scanned or a picture.',
      },
    ]);
  });

  it('gives a notice where it has more pages than are read', async () => {
    const { notices } = await convert(buildPdf(Array.from({ length: 2001 }, () => at(50, 700, 'x'))));
    assert.deepEqual(
      notices.map(({ code, message }) => `${code} ${message}`),
      ['text_cut The text of the document is read up to page 2000 of 2001; the rest is left out.'],
    );
  });

  it('is refused as encrypted where it needs a password', async () => {
    const key = 'A'.repeat(32);
    const trailer = `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/O(${key})/U(${key})/P -4>>`;
    await assert.rejects(convert(buildPdf(['x'], { trailer })), {
      name: 'DocumentError',
      code: 'encrypted',
    });
  });

  it('is refused as damaged', async () => {
    for (const bytes of [Buffer.from('%PDF-1.4\nnothing'), buildPdf(['x']).subarray(0, 60), Buffer.alloc(0)])
      await assert.rejects(convert(bytes), { name: 'DocumentError', code: 'damaged' });
  });
});

describe('published PDFs', { skip }, () => {
  it('are read page by page', async () => {
    const counts: Record<string, number> = {};
    for (const archive of ['02-ccda-pdf-fhir-same-patient', '03-va-bluebutton']) {
      for (const { path, bytes } of await readZipFiles(join(DATA_FOLDER, `archives/${archive}.zip`))) {
        if (!path.endsWith('.pdf')) continue;
        const { pages, pagesWithoutText, text } = await extractPdfText(bytes);
        assert.deepEqual(pagesWithoutText, []);
        counts[archive] = pages;
        assert.match(
          text,
          archive.startsWith('02')
            ? /^Part 2 {3}Expression of Healthcare/m
            : /^Allergy Type: DRUG {3}Location: PORTLAND,$/m,
        );
      }
    }
    assert.deepEqual(counts, { '02-ccda-pdf-fhir-same-patient': 7, '03-va-bluebutton': 88 });
  });
});
