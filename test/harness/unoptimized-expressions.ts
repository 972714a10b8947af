import { setFlagsFromString } from 'node:v8';

/** Runs a test file as its process, with expressions that are compiled without optimizing. */
setFlagsFromString('--no-regexp-optimization');
await import(process.argv[2] as string);
