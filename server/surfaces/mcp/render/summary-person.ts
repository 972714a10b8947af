import { MAX_PATIENT_RESOURCES, type Demographics } from '../../../clinical/queries/summary.sql.ts';
import { joinParagraphs } from './markdown.ts';
import { escapeInline } from './escape-markdown.ts';

/** Whose record it is: as one Patient resource says it, or what several say, side by side. */
export function renderPerson(people: readonly Demographics[]): string | null {
  const names = listDistinct(people.map(({ name }) => name));
  const births = listDistinct(people.map(({ birthDate }) => birthDate));
  const genders = listDistinct(people.map(({ gender }) => gender));
  const contradictions = [
    renderSeveral('names', names),
    renderSeveral('birth dates', births),
    renderSeveral('sexes (administrative gender)', genders),
    people.length === MAX_PATIENT_RESOURCES
      ? `Read from the first ${MAX_PATIENT_RESOURCES} Patient resources of the record.`
      : null,
  ];
  const summary = [
    formatSingle(names),
    formatSingle(births, 'born '),
    formatSingle(genders, 'sex as recorded: '),
  ]
    .filter(Boolean)
    .join(', ');
  const text = [summary && `${summary}.`, ...contradictions].filter(Boolean).join(' ');
  return joinParagraphs(text) || null;
}

const listDistinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.flatMap((value) => escapeInline(value, 120) || [])),
];

const formatSingle = (values: readonly string[], prefix = ''): string =>
  values.length === 1 ? `${prefix}${values[0]}` : '';

const NUMBER_WORDS = ['', '', 'Two', 'Three', 'Four', 'Five'];

/** "Two birth dates are recorded: 1987-02-20; 1987-02-21." */
function renderSeveral(what: string, values: readonly string[]): string | null {
  if (values.length < 2) return null;
  return `${NUMBER_WORDS[values.length] ?? values.length} ${what} are recorded: ${values.join('; ')}.`;
}
