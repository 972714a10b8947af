/**
 * Serializes one line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe before it, which
 * spreadsheets read as "this is text".
 */
export const toCsvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`;

function toCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
