import type { ResourceRow } from '../../store/resources.sql.ts';
import type { Page } from './split-page.ts';

/** Resources of which all is loaded that their entries are built with, once. */
export interface PreparedPage {
  seqs: number[];
  build(): Page;
}

interface PageSource {
  /** Reads the next resources behind a place; none: there are no more. */
  read(after: number): Promise<ResourceRow[]>;
  prepare(rows: ResourceRow[]): Promise<PreparedPage>;
  /** Calls `onSent` when the statements are on their way. */
  replace(page: Page, onSent: () => void): Promise<void>;
  checkpoint(): void;
}

/**
 * Builds and writes pages until there are no more. While the database writes one, the entries of the next one are built, and the
 * resources of the page after that have been read: the embedded engine does one thing at a time.
 */
export async function rebuildPages({ read, prepare, replace, checkpoint }: PageSource): Promise<void> {
  const readBehind = ({ seqs }: Pick<Page, 'seqs'>) => {
    const last = seqs.at(-1);
    return last === undefined ? Promise.resolve([]) : read(last);
  };
  let page = (await prepare(await read(0))).build();
  let next = await prepare(await readBehind(page));
  while (page.seqs.length > 0) {
    checkpoint();
    const reading = readBehind(next);
    const sent = Promise.withResolvers<void>();
    const written = replace(page, sent.resolve);
    await Promise.race([sent.promise, Promise.all([reading, written])]);
    page = next.build();
    [next] = await Promise.all([reading.then(prepare), written]);
  }
}
