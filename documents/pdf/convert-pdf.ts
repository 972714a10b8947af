import type { Conversion, ConversionNotice, DocumentToConvert } from '../converter.ts';
import { buildDocumentReference } from '../document-reference.ts';
import { extractPdfText, type PdfText } from './pdf-text.ts';

/** Converts a PDF into a note of its text. Throws DocumentError: `encrypted` or `damaged`. */
export async function convertPdf(document: DocumentToConvert): Promise<Conversion> {
  const pdf = await extractPdfText(document.bytes);
  const conversion = buildDocumentReference(document, {
    kind: 'PDF',
    contentType: 'application/pdf',
    text: pdf.text,
    title: pdf.title,
    created: pdf.created,
    withoutText: `scanned document, ${formatPageCount(pdf.pages)} without readable text`,
    notices: buildNotices(pdf),
  });
  return { ...conversion, besides: pdf.besides };
}

function buildNotices({
  text,
  pagesWithoutText,
  brokenPages,
  cutAfterPage,
  pages,
}: PdfText): ConversionNotice[] {
  const notices: ConversionNotice[] = [];
  const addNotice = (code: string, message: string): number => notices.push({ position: '', code, message });
  if (text !== '' && pagesWithoutText.length > 0) {
    const which = `${formatPageNumbers(pagesWithoutText)} of ${pages}`;
    addNotice(
      'pages_without_text',
      `No readable text on ${which}, perhaps because it is scanned or a picture.`,
    );
  }
  if (brokenPages.length > 0) {
    addNotice('pages_damaged', `Damaged and not readable: ${formatPageNumbers(brokenPages)} of ${pages}.`);
  }
  if (cutAfterPage !== null) {
    addNotice(
      'text_cut',
      `The text of the document is read up to page ${cutAfterPage} of ${pages}; the rest is left out.`,
    );
  }
  return notices;
}

const formatPageCount = (pages: number): string => (pages === 1 ? '1 page' : `${pages} pages`);

/** "page 3", "pages 2, 5–7 and more" */
function formatPageNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const words = runs
    .slice(0, MAX_RUNS)
    .map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return `${numbers.length === 1 ? 'page' : 'pages'} ${words.join(', ')}${runs.length > MAX_RUNS ? ' and more' : ''}`;
}

const MAX_RUNS = 20;
