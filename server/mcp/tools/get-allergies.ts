import type { Recorded } from '../../records/clinical.sql.ts';
import { history } from '../history.ts';
import { factTable, listed, paragraphs, section, type Fact } from '../markdown.ts';
import { nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf, type Window } from '../window.ts';
import { dateOf, inForceSince, statedText } from '../written-dates.ts';

type Allergy = Pick<
  Recorded<'allergy'>,
  'title' | 'dayText' | 'current' | 'detail' | 'organization' | 'documentPath' | 'reference'
>;

export const getAllergies = tool({
  name: 'get_allergies',
  title: 'Allergies',
  description:
    'Allergies and intolerances with reactions and criticality, whatever their date up to the end of the window; statements such as "No known allergies" with the day they were made.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Allergies and intolerances',
      plural: 'allergies or intolerances',
      subject: { kind: 'allergy', standing: 'all' },
      window: windowOf(deps.clock, input),
      silence: SILENCE,
      write: allergySections,
    }),
});

/** A reader must never have to guess whether silence means "none". */
export const SILENCE = 'That does not mean that there are none: the record says nothing about them.';

function allergySections(entries: Recorded<'allergy'>[], window: Window): string {
  const stated = entries.filter(({ detail }) => detail.none);
  const inForce = entries.filter(({ detail, current }) => !detail.none && current);
  const past = entries.filter(({ detail, current }) => !detail.none && !current);
  return paragraphs(
    inForce.length === 0 ? null : section(`In force (${inForce.length})`, allergyTable(inForce, window)),
    past.length === 0
      ? null
      : section(`Inactive, resolved or refuted (${past.length})`, allergyTable(past, window)),
    stated.length === 0 ? null : section('Statements', statementTable(stated)),
  );
}

export function allergyTable(entries: Allergy[], window: Window | null): string {
  const fact = (entry: Allergy): Fact => {
    const { detail } = entry;
    const cells = [
      nameText(entry.title),
      `${dateOf(entry)}${inForceSince(entry, window, undefined)}`,
      inline(listed(detail.reactions)),
      inline(detail.criticality === 'unable-to-assess' ? 'not assessed' : detail.criticality),
      inline(listed([detail.type, ...detail.categories], ', ')),
      statusOf(entry),
      inline(detail.note),
    ];
    return { cells, entries: [entry] };
  };
  return factTable(
    ['Allergy', 'Recorded', 'Reaction', 'Criticality', 'Kind', 'Status', 'Note'],
    entries.map(fact),
  );
}

/** "active, confirmed" is what a reader expects; what differs is told. */
function statusOf({ detail }: Allergy): string {
  const { clinicalStatus, verification } = detail;
  return inline(
    listed(
      [
        clinicalStatus === 'active' ? null : (clinicalStatus ?? 'status not told'),
        verification === 'confirmed' ? null : verification,
      ],
      ', ',
    ),
  );
}

/** "No known allergies (stated 2019-05-01)" */
export function statementTable(entries: Allergy[]): string {
  const fact = (entry: Allergy): Fact => ({
    cells: [statedText(nameText(entry.title), entry), inline(entry.detail.note)],
    entries: [entry],
  });
  return factTable(['Statement', 'Note'], entries.map(fact));
}
