/** Loads what most test files load, for the compile cache of a run that has none yet. */
await import('../server/app.ts');
await import('../server/clinical/ingest/batches/process-upload.ts');
await import('./harness/page.ts');
await import('./harness/service.ts');
