import { type SubmitEvent, useEffect, useId, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { isRelative } from '../kit/time-range.ts';
import { type Search, useSearch } from '../kit/use-search.ts';
import { useWords } from '../words/use-words.ts';
import { type Choice, ChoicesFilter, splitValues } from './choices-filter.tsx';
import { Chip } from './chip.tsx';
import { PatientChip, PatientFilter } from './patient-filter.tsx';
import './filters.css';

/** One filter, by its parameter in the address: words to search for, one of some options, or a day. */
export type Filter =
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  | ({ kind: 'choice' } & Choice)
  /** Some of the options: what has one of them is found. */
  | ({ kind: 'choices' } & Choice)
  /** A patient, who is looked for by name. */
  | { kind: 'patient'; name: string; label: string }
  | { kind: 'day'; name: string; label: string }
  /** A day, or a time so long ago, such as `-24h`. */
  | { kind: 'since'; name: string; label: string }
  /** Likewise, and what is older. */
  | { kind: 'before'; name: string; label: string };

/** The values of the filters in the address, and the names of those that are set, for `useList`. */
export function useFilters<const Name extends string>(
  names: readonly Name[],
): { values: Partial<Record<Name, string>>; filterNames: readonly Name[] } {
  const [search] = useSearch();
  const filterNames = names.filter((name) => search[name] !== undefined);
  const values = Object.fromEntries(filterNames.map((name) => [name, search[name]]));
  return { values: values as Partial<Record<Name, string>>, filterNames };
}

/** More of them wait behind a button where the window is narrow: a phone or a tablet would show nothing but filters. */
const MAX_SHOWN_ON_PHONES = 2;

/** Every filter has a place in the address, which then leads a colleague to the same rows. A change begins at the first page. */
export function Filters({
  filters,
  pageParameter = 'from',
}: {
  filters: readonly Filter[];
  pageParameter?: string;
}) {
  const words = useWords();
  const [search, setSearch] = useSearch();
  const change = (values: Search) => setSearch({ ...values, [pageParameter]: undefined });
  const active = filters.filter(({ name }) => search[name] !== undefined);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isLong = filters.length > MAX_SHOWN_ON_PHONES;
  return (
    <div className="filters" role="search" aria-label={words.list.filters}>
      {isLong && (
        <button
          type="button"
          className="button button-plain filters-toggle"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.list.hideFilters : words.list.showFilters}
        </button>
      )}
      <div id={id} className={isLong && !isOpen ? 'filter-fields filter-fields-long' : 'filter-fields'}>
        {filters.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={search[filter.name] ?? ''}
            onChange={(value) => change({ [filter.name]: value })}
          />
        ))}
      </div>
      {active.length > 0 && <Chips filters={active} values={search} onChange={change} />}
    </div>
  );
}

interface ChipsProps {
  filters: readonly Filter[];
  values: Search;
  onChange: (values: Search) => void;
}

/** The filters that are set, each value with its way out. */
function Chips({ filters, values, onChange }: ChipsProps) {
  const { list: words } = useWords();
  return (
    <ul className="chips">
      {filters.flatMap((filter) => {
        const all = readValues(filter, values[filter.name]);
        const times = filter.kind === 'before' ? words.timesBefore : words.times;
        return all.map((value) => {
          const onRemove = () => onChange({ [filter.name]: all.filter((each) => each !== value).join() });
          return (
            <li key={`${filter.name} ${value}`}>
              {filter.kind === 'patient' ? (
                <PatientChip label={filter.label} {...{ value, onRemove }} />
              ) : (
                <Chip text={`${filter.label}: ${formatValue(filter, value, times)}`} onRemove={onRemove} />
              )}
            </li>
          );
        });
      })}
      <li>
        <Button
          variant="quiet"
          onPress={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          {words.clear}
        </Button>
      </li>
    </ul>
  );
}

const readValues = ({ kind }: Filter, value = ''): readonly string[] =>
  kind === 'choices' ? splitValues(value) : [value];

const formatValue = (filter: Filter, value: string, times: Readonly<Record<string, string>>): string =>
  filter.kind === 'choice' || filter.kind === 'choices'
    ? (filter.options.find((option) => option.value === value)?.label ?? value)
    : (times[value] ?? value);

interface FilterFieldProps {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const words = useWords();
  if (filter.kind === 'text') return <TextFilter {...{ filter, value, onChange }} />;
  if (filter.kind === 'since' || filter.kind === 'before')
    return <SinceFilter {...{ filter, value, onChange }} />;
  if (filter.kind === 'patient') return <PatientFilter {...{ label: filter.label, value, onChange }} />;
  if (filter.kind === 'choices') return <ChoicesFilter {...{ filter, value, onChange }} />;
  return (
    <label className="filter">
      <span className="filter-label">{filter.label}</span>
      {filter.kind === 'day' ? (
        <input
          className="filter-input"
          type="date"
          value={value.slice(0, 10)}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <select className="filter-input" value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{words.common.all}</option>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

/** From so long ago, or from a day on; or before these. */
function SinceFilter({ filter, value, onChange }: FilterFieldProps) {
  const { list } = useWords();
  const times = filter.kind === 'before' ? list.timesBefore : list.times;
  const [isDay, setIsDay] = useState(false);
  const { any, day, ...relative } = times;
  const chosen = value === '' ? (isDay ? 'day' : '') : isRelative(value) ? value : 'day';
  const choose = (choice: string) => {
    setIsDay(choice === 'day');
    onChange(choice === 'day' ? '' : choice);
  };
  return (
    <div className="filter">
      <label className="filter">
        <span className="filter-label">{filter.label}</span>
        <select className="filter-input" value={chosen} onChange={(event) => choose(event.target.value)}>
          <option value="">{any}</option>
          {Object.entries({
            ...relative,
            ...(isRelative(value) && !(value in relative) && { [value]: value }),
          }).map(([since, label]) => (
            <option key={since} value={since}>
              {label}
            </option>
          ))}
          <option value="day">{day}</option>
        </select>
      </label>
      {chosen === 'day' && (
        <input
          className="filter-input"
          type="date"
          aria-label={`${filter.label}: ${day}`}
          value={value.slice(0, 10)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

const PAUSE_MS = 400;

/** Words are looked for when somebody pauses, or presses Enter. */
function TextFilter({ filter, value, onChange }: FilterFieldProps & { filter: Filter & { kind: 'text' } }) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Something else has changed the address, such as the button that clears the filters.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onChange(text.trim());
  };
  return (
    <form className="filter filter-wide" onSubmit={submit}>
      <label className="filter">
        <span className="filter-label">{filter.label}</span>
        <input
          className="filter-input"
          type="search"
          autoComplete="off"
          placeholder={filter.placeholder ?? ''}
          {...(filter.name === 'q' && { maxLength: MAX_SEARCH_LENGTH })}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
    </form>
  );
}
