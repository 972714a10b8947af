import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './process.ts';

/** The command line as it is built, which costs a third of its sources; `test/run.ts` builds it where a file uses this one. */
export const PROGRAM = path.join(ROOT, 'dist/chartgate.js');

/** Flags for a server that is asked no question. */
export const UNPREPARED = ['--import', pathToFileURL(path.join(ROOT, 'test/harness/unprepared.ts')).href];
