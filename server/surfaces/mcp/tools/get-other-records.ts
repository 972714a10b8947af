import { z } from 'zod';
import { OTHER_KINDS, type OtherKind } from '../../../clinical/entries/other-kinds.ts';
import { buildHistory } from '../render/history.ts';
import { buildKindOverview } from '../render/kind-overview.ts';
import { OTHER_KIND_NAMES } from '../render/kind-names.ts';
import { renderOtherRecords } from '../render/other-records.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';

const KIND_FAULT = `must be one of ${OTHER_KINDS.join(', ')}`;

export const getOtherRecords = defineTool({
  name: 'get_other_records',
  title: 'Other records',
  description:
    'What no other tool lists: care teams, care plans, goals, devices, family and social history (smoking, pregnancy), surveys and scores, imaging, orders, coverage. Without `kind`: what is held, how many, from when.',
  input: HistoryWindow.extend({
    kind: z.enum(OTHER_KINDS, KIND_FAULT).optional().describe('The kind to list.'),
  }),
  run: (deps, access, { kind, ...input }) => {
    const window = resolveWindow(deps.clock, input);
    return kind === undefined
      ? buildKindOverview(deps, access, window)
      : buildHistory<OtherKind | 'note'>(deps, access, {
          title: OTHER_KIND_NAMES[kind].title,
          plural: OTHER_KIND_NAMES[kind].plural,
          // A letter that belongs to no visit is listed nowhere else.
          subject: { kind, alwaysShown: 'none', withNotes: kind === 'document' },
          window,
          render: renderOtherRecords,
        });
  },
});
