import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import type { enrollPatients } from '../../../../../contract/organization/enrollment.ts';
import { type Refusal, toRefusal } from '../../../../kit/http/refusal.ts';
import { useConsole } from '../../api/use-console.ts';
import type { DateOrder } from './birth-dates.ts';
import { toEntry } from './check-values.ts';
import { decodeFile } from './decode-file.ts';
import type { Field } from './fields.ts';
import * as sheet from './import-sheet.ts';
import { recallColumns, rememberColumns } from './remembered-columns.ts';

export interface LoadedFile {
  name: string;
  encoding: string;
  delimiter: string;
  headers: string[];
  body: string[][];
  firstLine: number;
}

export type ImportStep = 'reading' | 'checking' | 'asking' | 'importing';

export interface Progress {
  step: ImportStep;
  done: number;
  all: number;
}

/** The file that is read, and what its columns hold: as it was chosen for the same headings before, else by their names. */
function useLoadedFile() {
  const [file, setFile] = useState<LoadedFile | null>(null);
  const [columns, setColumns] = useState<(Field | null)[]>([]);
  const load = (loaded: LoadedFile | null) => {
    setFile(loaded);
    if (loaded) setColumns(recallColumns(loaded.headers) ?? sheet.guessColumns(loaded.headers));
  };
  return { file, columns, setColumns, load };
}

/** Everything between a file and the people who are enrolled by it. One thing runs at a time, and can be stopped. */
export function useImport(projectId: string) {
  const { file, columns, setColumns, load } = useLoadedFile();
  const [rows, setRows] = useState<Rows>(null);
  const { progress, refusal, run } = useWork();

  const goThrough = useGoThrough(projectId, setRows);
  const { isEdited, setIsEdited, edit, convertDates } = useMends(rows, setRows, {
    isIdle: progress === null,
    ask: (mended) => run('asking', (work) => goThrough(mended, { isDry: true, invite: false, work })),
  });

  return {
    file,
    columns,
    setColumns,
    rows,
    isUnfinished: progress?.current.step === 'importing' || (isEdited && hasWork(rows ?? [])),
    progress: progress?.current ?? null,
    stop: () => progress?.abort(),
    refusal,
    open: (chosen: File) =>
      run('reading', async (work) => {
        setRows(null);
        setIsEdited(false);
        const loaded = await loadFile(chosen, work);
        if (loaded === null) return;
        load(loaded);
      }),
    check: () =>
      run('checking', async (work) => {
        if (file === null) return;
        const { body, firstLine, headers } = file;
        rememberColumns(headers, columns);
        const onProgress = (done: number) => work.report({ step: 'checking', done, all: body.length });
        const built = await sheet.buildRows(body, columns, { firstLine, signal: work.signal, onProgress });
        if (built === null) return;
        setRows(built);
        await goThrough(built, { isDry: true, invite: false, work });
      }),
    start: (invite: boolean) =>
      run('importing', async (work) => {
        if (rows !== null) await goThrough(rows, { isDry: false, invite, work });
      }),
    edit,
    convertDates,
    reset: () => {
      load(null);
      setRows(null);
    },
  };
}

/** null: no file is checked. */
type Rows = readonly sheet.SheetRow[] | null;

/**
 * Mends rows, and asks about them as about all others, once nothing else runs: who takes part already is not known of them. Once
 * for each mend, so that what was stopped or failed does not begin again by itself.
 */
function useMends(
  rows: Rows,
  setRows: Dispatch<SetStateAction<Rows>>,
  { isIdle, ask }: { isIdle: boolean; ask: (rows: readonly sheet.SheetRow[]) => void },
) {
  /** Something was mended by hand, which is lost with the page. */
  const [isEdited, setIsEdited] = useState(false);
  const isUnasked = useRef(false);
  useEffect(() => {
    if (!isUnasked.current || !isIdle || rows === null) return;
    isUnasked.current = false;
    if (sheet.nextChunk(rows, { isDry: true }).length > 0) ask(rows);
  }, [isIdle, rows, ask]);
  const mend = (change: (before: readonly sheet.SheetRow[]) => sheet.SheetRow[]) => {
    isUnasked.current = true;
    setRows((before) => before && change(before));
  };
  return {
    isEdited,
    setIsEdited,
    edit: (line: number, field: Field, value: string) => {
      setIsEdited(true);
      mend((before) => sheet.editCell(before, { line, field, value }));
    },
    convertDates: (order: DateOrder) => mend((before) => sheet.convertDates(before, order)),
  };
}

/** Whether somebody of the list is not imported who could be. */
const hasWork = (rows: readonly sheet.SheetRow[]): boolean => {
  const { ready, faulty } = sheet.countRows(rows);
  return ready + faulty > 0;
};

/** Decodes and parses a file; null: it was stopped. */
async function loadFile(chosen: File, { signal, report }: Work): Promise<LoadedFile | null> {
  const { readTable } = await import('./read-table.ts');
  const { text, encoding } = decodeFile(new Uint8Array(await chosen.arrayBuffer()));
  const onProgress = (done: number) => report({ step: 'reading', done, all: done });
  const { table, delimiter } = await readTable(text, { signal, onProgress });
  return signal.aborted ? null : { name: chosen.name, encoding, delimiter, ...sheet.openSheet(table) };
}

interface Way {
  isDry: boolean;
  invite: boolean;
  work: Work;
}

/** Returns the function that goes through what is ready, some hundred with each call; what is done stays done when it is stopped. */
function useGoThrough(projectId: string, setRows: Dispatch<SetStateAction<Rows>>) {
  const { call } = useConsole();
  const enroll = (chunk: readonly sheet.SheetRow[], { isDry, invite }: Way) =>
    call<typeof enrollPatients>('POST /v1/projects/{projectId}/patients', {
      params: { projectId },
      query: isDry ? { dryRun: 'true' } : {},
      body: { patients: chunk.map(({ values }) => toEntry(values)), suppressNotifications: !invite },
    });
  return async (from: readonly sheet.SheetRow[], way: Way) => {
    const { isDry, work } = way;
    let current = from;
    const all = current.filter((row) => row.state === 'ready' && !(isDry && row.isAsked)).length;
    for (let done = 0; ;) {
      const chunk = sheet.nextChunk(current, { isDry });
      if (chunk.length === 0 || work.signal.aborted) return;
      work.report({ step: isDry ? 'asking' : 'importing', done, all });
      const result = await enroll(chunk, way);
      const lines = chunk.map(({ line }) => line);
      const apply = (to: readonly sheet.SheetRow[]) => sheet.applyResult(to, lines, { result, isDry });
      current = apply(current);
      // Not that one: other rows may have been mended by hand meanwhile.
      setRows((before) => before && apply(before));
      done += chunk.length;
    }
  };
}

export type Import = ReturnType<typeof useImport>;

interface Work {
  signal: AbortSignal;
  report(progress: Progress): void;
}

/** Runs one piece of work at a time; it ends with the page. */
function useWork() {
  const [progress, setProgress] = useState<{ current: Progress; abort(): void } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = useCallback((step: ImportStep, work: (work: Work) => Promise<void>) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    const abort = () => controller.abort();
    const report = (current: Progress) => setProgress({ current, abort });
    report({ step, done: 0, all: 0 });
    setRefusal(null);
    void work({ signal: controller.signal, report })
      .catch((error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => {
        running.current = null;
        setProgress(null);
      });
  }, []);
  return { progress, refusal, run };
}
