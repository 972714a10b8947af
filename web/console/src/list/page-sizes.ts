/** Rows that a list shows at a time, unless it says another number. */
export const PAGE_SIZE = 50;

/** Rows that a download of a whole list asks for at a time: every list serves as many. */
export const CSV_PAGE_SIZE = 200;
