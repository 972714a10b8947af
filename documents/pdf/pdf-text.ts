import { getDocumentProxy } from 'unpdf';
import { DocumentError, type WordsBesides } from '../converter.ts';
import { DOCUMENT_LIMITS } from '../document-limits.ts';
import { tidyLines } from '../text/tidy-lines.ts';
import { extractPageLines, type PositionedText } from './page-lines.ts';
import { readPdfBesides } from './pdf-besides.ts';
import { readPdfInfo, type PdfInfo } from './pdf-info.ts';

export interface PdfText extends PdfInfo {
  /** Page by page, with "[Page 2]" before each where there are several; "" when no page has text. */
  text: string;
  pages: number;
  /** Numbers, from 1, of the pages on which no text was found: scans, pictures, empty pages. */
  pagesWithoutText: number[];
  brokenPages: number[];
  /** The number of the last page read, where the text ends before the document does; else null. */
  cutAfterPage: number | null;
  besides: WordsBesides;
}

export const PDF_LIMITS = {
  pages: 2000,
  characters: DOCUMENT_LIMITS.textCharacters,
} as const;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Extracts the text of a PDF in reading order. Throws DocumentError: `encrypted` or `damaged`. */
export async function extractPdfText(bytes: Buffer): Promise<PdfText> {
  const pdf = await openPdf(bytes);
  try {
    const read = await readPages(pdf);
    const info = await readPdfInfo(pdf);
    return { ...read, ...info, besides: await readPdfBesides(pdf, Math.min(pdf.numPages, PDF_LIMITS.pages)) };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Nothing is drawn and nothing fetched: fonts and tables that are not in the file are left out. */
const OPTIONS = {
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  enableXfa: false,
  stopAtErrors: false,
};

async function openPdf(bytes: Buffer): Promise<Pdf> {
  try {
    // pdf.js detaches the buffer that it is given.
    return await getDocumentProxy(new Uint8Array(bytes), OPTIONS);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new DocumentError(
        'encrypted',
        'The PDF is protected by a password; it cannot be read without it.',
      );
    throw createDamagedError();
  }
}

const createDamagedError = (): DocumentError =>
  new DocumentError('damaged', 'The PDF is damaged and cannot be read.');

async function readPages(pdf: Pdf): Promise<Omit<PdfText, keyof PdfInfo | 'besides'>> {
  const parts: string[] = [];
  const pagesWithoutText: number[] = [];
  const brokenPages: number[] = [];
  let length = 0;
  let page = 0;
  while (page < Math.min(pdf.numPages, PDF_LIMITS.pages) && length < PDF_LIMITS.characters) {
    page++;
    const text = await extractPageText(pdf, page);
    if (text === null) brokenPages.push(page);
    if (text === '') pagesWithoutText.push(page);
    const pageText = text === null ? BROKEN_PAGE : text === '' ? NO_TEXT : text;
    parts.push(pdf.numPages === 1 ? pageText : `[Page ${page}]\n${pageText}`);
    length += text?.length ?? 0;
  }
  if (brokenPages.length === page) throw createDamagedError();
  const cutAfterPage = page < pdf.numPages || length > PDF_LIMITS.characters ? page : null;
  const text = length === 0 ? '' : parts.join('\n\n').slice(0, PDF_LIMITS.characters).toWellFormed();
  return { text, pages: pdf.numPages, pagesWithoutText, brokenPages, cutAfterPage };
}

const NO_TEXT = '[No text on this page: perhaps a scan or a picture]';
const BROKEN_PAGE = '[This page is damaged and cannot be read]';

/** Returns null for a broken page: it costs no other page. */
async function extractPageText(pdf: Pdf, number: number): Promise<string | null> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const { transform } = page.getViewport({ scale: 1 });
    page.cleanup();
    const pieces: PositionedText[] = items.flatMap((item) => ('str' in item ? [item] : []));
    return tidyLines(extractPageLines(pieces, transform).join('\n'));
  } catch {
    return null;
  }
}
