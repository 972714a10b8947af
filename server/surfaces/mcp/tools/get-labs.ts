import { z } from 'zod';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { resolveTests, type FindTestNames } from '../../../clinical/queries/lab-tests.ts';
import type { ReadQuestion } from '../../../clinical/search/question/read-question.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { buildHistory } from '../render/history.ts';
import { renderLabPanels } from '../render/lab-panels.ts';
import { OTHER_NAMES_HINT, renderLabTests } from '../render/lab-tests.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';

const TESTS_FAULT =
  'must be a list of 1 to 20 names or LOINC codes of tests, such as "Hemoglobin A1c" or "4548-4"';

export const getLabs = defineTool({
  name: 'get_labs',
  title: 'Laboratory results',
  description:
    'Laboratory results and cultures of the window by panel and test, with range and flag. With `tests`, the course of these: first, last, lowest, highest.',
  input: HistoryWindow.extend({
    tests: z
      .array(z.string(TESTS_FAULT).trim().min(1, TESTS_FAULT).max(200, TESTS_FAULT), TESTS_FAULT)
      .max(20, TESTS_FAULT)
      .optional()
      .describe('Names or LOINC codes: ["A1c", "2160-0"]; years: 100 for the whole course.'),
  }),
  isKept: true,
  run(deps, access, { tests = [], ...input }) {
    const window = resolveWindow(deps.clock, input);
    const findNames = createTestNames(deps.readQuestion, window.today);
    return buildHistory<'lab'>(deps, access, {
      title: 'Laboratory results',
      plural: 'laboratory results',
      only:
        tests.length > 0 ? ` of ${tests.map((test) => `“${escapeInline(test, 80)}”`).join(', ')}` : undefined,
      subject: {
        kind: 'lab',
        alwaysShown: 'none',
        tests: tests.length > 0 ? resolveTests(tests, findNames) : undefined,
      },
      window,
      narrower:
        tests.length > 1 ? 'Fewer `tests` are listed more fully.' : '`tests` lists those of a name or code.',
      hint: OTHER_NAMES_HINT,
      render: (labs: StoredEntry<'lab'>[]) =>
        tests.length > 0
          ? renderLabTests(
              labs,
              tests.map((name) => ({ name, filter: resolveTests([name], findNames) })),
            )
          : renderLabPanels(labs),
    });
  },
});

/** Finds the names of a test as `search` reads it: what names nothing besides tests of the vocabulary. */
const createTestNames =
  (readQuestion: ReadQuestion, today: string): FindTestNames =>
  (test) => {
    const { concepts, words } = readQuestion(test, today);
    const named = concepts.map(({ readAs }) => readAs.filter(({ kind }) => kind === 'tests'));
    return words.length > 0 || named.some(({ length }) => length === 0)
      ? []
      : named.flat().flatMap(({ names }) => names);
  };
