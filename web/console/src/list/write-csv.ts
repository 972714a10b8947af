import Papa from 'papaparse';

/**
 * Writes a table as CSV (RFC 4180) with a byte order mark, by which spreadsheets know UTF-8. A cell that begins as a formula
 * would be run by a spreadsheet, so it gets an apostrophe before it.
 */
export const writeCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\ufeff${Papa.unparse(rows as (string | number)[][], { escapeFormulae: true, newline: '\r\n' })}\r\n`;
