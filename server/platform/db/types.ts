import pg from 'pg';

const { builtins } = pg.types;

const parseSafeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond 2^53: ${text}`);
  return value;
};

/**
 * How column types are parsed on both engines: int8 as a safe integer, `date` as the text YYYY-MM-DD
 * (a JavaScript Date would shift it by the process's time zone), json as text so that the reader
 * decides when to parse; timestamptz as Date and bytea as Buffer, as the driver does.
 */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: never) => unknown {
    switch (oid) {
      case builtins.INT8:
        return parseSafeInteger;
      case builtins.DATE:
      case builtins.JSON:
      case builtins.JSONB:
        return (text) => text;
      default:
        return pg.types.getTypeParser(oid, format) as (text: never) => unknown;
    }
  },
};
