import { MOST_PEOPLE, type Person } from '../records/summary.sql.ts';
import { paragraphs } from './markdown.ts';
import { inline } from './record-text.ts';

/** Whose record it is: as one Patient resource says it, or what several say, side by side. */
export function personText(people: readonly Person[]): string | null {
  const names = distinct(people.map(({ name }) => name));
  const births = distinct(people.map(({ birthDate }) => birthDate));
  const genders = distinct(people.map(({ gender }) => gender));
  const contradictions = [
    severalText('names', names),
    severalText('birth dates', births),
    severalText('sexes (administrative gender)', genders),
    people.length === MOST_PEOPLE
      ? `Read from the first ${MOST_PEOPLE} Patient resources of the record.`
      : null,
  ];
  const said = [one(names), one(births, 'born '), one(genders, 'sex as recorded: ')]
    .filter(Boolean)
    .join(', ');
  const text = [said && `${said}.`, ...contradictions].filter(Boolean).join(' ');
  return paragraphs(text) || null;
}

const distinct = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.flatMap((value) => inline(value, 120) || [])),
];

const one = (values: readonly string[], before = ''): string =>
  values.length === 1 ? `${before}${values[0]}` : '';

const NUMBERS = ['', '', 'Two', 'Three', 'Four', 'Five'];

/** "Two birth dates are recorded: 1987-02-20; 1987-02-21." */
function severalText(what: string, values: readonly string[]): string | null {
  if (values.length < 2) return null;
  return `${NUMBERS[values.length] ?? values.length} ${what} are recorded: ${values.join('; ')}.`;
}
