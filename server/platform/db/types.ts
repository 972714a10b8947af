import pg from 'pg';

const { builtins } = pg.types;

const parseSafeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond 2^53: ${text}`);
  return value;
};

const parseTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ);

/** The form of `DateStyle = ISO`, which each session is set to. In another one the driver finds years that are none, or nothing. */
const DAY = /^(\d{4,}-\d\d-\d\d( BC)?|-?infinity)$/;
const TIMESTAMP = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?([+-]\d\d(:\d\d){0,2})?( BC)?|-?infinity)$/;

/** Returns a text that PostgreSQL has written in this form; throws for every other one. */
function requireForm(text: string, form: RegExp): string {
  if (form.test(text)) return text;
  throw new RangeError('PostgreSQL wrote a time in another form than DateStyle = ISO');
}

/**
 * How column types are parsed on both engines: int8 as a safe integer, `date` as the text YYYY-MM-DD
 * (a JavaScript Date would shift it by the process's time zone), json as text so that the reader
 * decides when to parse; timestamptz as Date and bytea as Buffer, as the driver does. Throws where a time cannot be read.
 */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: never) => unknown {
    switch (oid) {
      case builtins.INT8:
        return parseSafeInteger;
      case builtins.DATE:
        return (text) => requireForm(text, DAY);
      case builtins.TIMESTAMP:
      case builtins.TIMESTAMPTZ:
        return (text) => parseTimestamp(requireForm(text, TIMESTAMP));
      case builtins.JSON:
      case builtins.JSONB:
        return (text) => text;
      default:
        return pg.types.getTypeParser(oid, format) as (text: never) => unknown;
    }
  },
};
