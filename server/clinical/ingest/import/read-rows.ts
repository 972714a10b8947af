/** Resources of one statement: few have restricted classes or several categories, and their rows are short. */
const PAGE = 2000;

export type ReadPage<Row> = (query: { after: number; limit: number }) => Promise<Row[]>;

/** Reads the rows of all pages, in the order of `seq`. */
export async function* readRows<Row extends { seq: number }>(read: ReadPage<Row>): AsyncGenerator<Row> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: Row[] = await read({ after, limit: PAGE });
    yield* rows;
    after = rows.at(-1)?.seq;
  }
}
