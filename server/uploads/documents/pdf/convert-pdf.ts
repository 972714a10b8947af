import type { Conversion, ConversionNotice, DocumentToConvert } from '../converter.ts';
import { noteDocument } from '../note-document.ts';
import { textOfPdf, type PdfText } from './text-of-pdf.ts';

/** A PDF as a note of its text. Throws DocumentUnreadable: `encrypted` or `damaged`. */
export async function convertPdf(document: DocumentToConvert): Promise<Conversion> {
  const pdf = await textOfPdf(document.bytes);
  return noteDocument(document, {
    kind: 'PDF',
    contentType: 'application/pdf',
    text: pdf.text,
    title: pdf.title,
    created: pdf.created,
    withoutText: `scanned document, ${counted(pdf.pages)} without readable text`,
    notices: noticesOf(pdf),
  });
}

function noticesOf({
  text,
  pagesWithoutText,
  brokenPages,
  cutAfterPage,
  pages,
}: PdfText): ConversionNotice[] {
  const notices: ConversionNotice[] = [];
  const tell = (code: string, message: string): number => notices.push({ position: '', code, message });
  if (text !== '' && pagesWithoutText.length > 0) {
    const which = `${listed(pagesWithoutText)} of ${pages}`;
    tell('pages_without_text', `No readable text on ${which}, perhaps because it is scanned or a picture.`);
  }
  if (brokenPages.length > 0) {
    tell('pages_damaged', `Damaged and not readable: ${listed(brokenPages)} of ${pages}.`);
  }
  if (cutAfterPage !== null) {
    tell(
      'text_cut',
      `The text of the document is read up to page ${cutAfterPage} of ${pages}; the rest is left out.`,
    );
  }
  return notices;
}

const counted = (pages: number): string => (pages === 1 ? '1 page' : `${pages} pages`);

/** "page 3", "pages 2, 5–7 and more" */
function listed(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const words = runs
    .slice(0, MOST_RUNS)
    .map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return `${numbers.length === 1 ? 'page' : 'pages'} ${words.join(', ')}${runs.length > MOST_RUNS ? ' and more' : ''}`;
}

const MOST_RUNS = 20;
