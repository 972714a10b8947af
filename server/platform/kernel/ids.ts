import { v7 } from 'uuid';

/** Generates time-ordered UUIDs (RFC 9562 §5.7): new rows are adjacent in an index. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the brand is the caller's to say
export const generateId = <Id extends string>(): Id => v7() as Id;
