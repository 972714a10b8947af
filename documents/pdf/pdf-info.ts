import type { getDocumentProxy } from 'unpdf';

/** The document information of a PDF (ISO 32000-1 §14.3.3), as far as it is plausible. */
export interface PdfInfo {
  title: string | null;
  /** When the file was created, as a FHIR dateTime: to the second, or to the day where there is no time zone. */
  created: string | null;
}

export async function readPdfInfo(pdf: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<PdfInfo> {
  try {
    const info = (await pdf.getMetadata()).info as Record<string, unknown>;
    return { title: cleanTitle(info['Title']), created: parsePdfDate(info['CreationDate']) };
  } catch {
    return { title: null, created: null };
  }
}

/** Titles that programs set by themselves: their own name, the name of a file, a number. */
const NO_TITLE =
  /^(?:microsoft|powerpoint|untitled|document|print|scan|adobe|pdf|file:|https?:|output|report\d*$)|\.(?:docx?|rtf|odt|xlsx?|pptx?|html?|aspx?|php|pdf|tiff?|jpe?g|png|tmp|txt|xml)$/i;

function cleanTitle(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const title = value.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const isSane =
    title.length >= 4 && title.length <= 200 && /\p{L}{3}/u.test(title) && !title.includes('\ufffd');
  return isSane && !NO_TITLE.test(title) ? title : null;
}

/** ISO 32000-1 §7.9.4: D:YYYYMMDDHHmmSSOHH'mm' */
const PDF_DATE = /^D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)'?(\d\d)?'?)?)?/;

/** The format is from 1993; an earlier year is from a clock that was never set. */
const MIN_YEAR = 1993;

function parsePdfDate(value: unknown): string | null {
  const match = typeof value === 'string' ? PDF_DATE.exec(value) : null;
  if (match === null) return null;
  const [all, year = '', month = '', day = '', hour, minute, second, sign, zoneHour, zoneMinute] = match;
  const date = `${year}-${month}-${day}`;
  if (Number(year) < MIN_YEAR || !isDay(date)) return null;
  const zone =
    sign === undefined ? (all.endsWith('Z') ? 'Z' : '') : `${sign}${zoneHour}:${zoneMinute ?? '00'}`;
  const time = `${hour}:${minute}:${second}`;
  const isTime = hour !== undefined && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time);
  return isTime && /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/.test(zone) ? `${date}T${time}${zone}` : date;
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
