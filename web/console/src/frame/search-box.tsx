import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../../contract/text-limits.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { useWords } from '../words/use-words.ts';
import { findTargets, type SearchTarget } from './find-targets.ts';
import { usePermittedPages } from './navigation.tsx';
import { useSearchTargets } from './use-search-targets.ts';
import './search-box.css';

/** One box for names and ids (WAI-ARIA combobox with a list): arrows choose, Enter opens, Escape leaves. */
export function SearchBox() {
  const { search } = useWords();
  const id = useId();
  const { text, isOpen, active, found, write, setOpen, open, onKey } = useSearchState();
  const isShown = isOpen && text.trim() !== '';
  const closeOutside = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    // Its focus is that of the box and the results within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className="search" role="search" onBlur={closeOutside}>
      <Icon name="search" />
      <input
        className="search-input"
        type="search"
        role="combobox"
        autoComplete="off"
        maxLength={MAX_SEARCH_LENGTH}
        spellCheck={false}
        aria-label={search.label}
        aria-expanded={isShown}
        aria-controls={`${id}results`}
        aria-autocomplete="list"
        {...(isShown && found.length > 0 && { 'aria-activedescendant': `${id}result${active}` })}
        placeholder={search.placeholder}
        value={text}
        onFocus={() => setOpen(true)}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKey}
      />
      <kbd className="search-key" aria-hidden="true">
        /
      </kbd>
      {isShown && <Results {...{ id, found, active, text, open }} />}
    </div>
  );
}

/** What is written, what is found of it, and which result the keys are at. */
function useSearchState() {
  const { search } = useWords();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const targets = useSearchTargets(text, isOpen);
  const pages = usePermittedPages().map(({ name }) => name);
  const found = findTargets(text, targets, { pages, search });
  const write = (written: string) => {
    setText(written);
    setActive(0);
  };
  const open = useOpenTarget(() => {
    write('');
    setOpen(false);
  });
  const onKey = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    const chosen = found[active];
    if (key === 'ArrowDown') setActive((active + 1) % Math.max(found.length, 1));
    if (key === 'ArrowUp') setActive((active - 1 + found.length) % Math.max(found.length, 1));
    if (key === 'Enter' && chosen) open(chosen);
    if (key !== 'Escape') return;
    write('');
    currentTarget.blur();
  };
  return { text, isOpen, active, found, write, setOpen, open, onKey };
}

function useOpenTarget(onOpened: () => void): (target: SearchTarget) => void {
  const navigate = useNavigate();
  const project = useProjectId();
  return ({ to, search }) => {
    onOpened();
    void navigate({ to, search: { ...(project !== null && { project }), ...search } });
  };
}

interface ResultsProps {
  id: string;
  found: readonly SearchTarget[];
  active: number;
  text: string;
  open: (target: SearchTarget) => void;
}

function Results({ id, found, active, text, open }: ResultsProps) {
  const { search } = useWords();
  return (
    <div className="search-results">
      <div id={`${id}results`} role="listbox" aria-label={search.results}>
        {found.map((target, index) => (
          // The keys are those of the box, which names the option that they go by.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={target.kind + target.to + target.label}
            id={`${id}result${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(target)}
          >
            <span>{target.label}</span>
            <span className="soft small">{search.kinds[target.kind]}</span>
          </div>
        ))}
      </div>
      <p role="status" className="soft small">
        {found.length === 0 ? `${search.nothing(text.trim())} ${search.hint}` : ''}
      </p>
    </div>
  );
}
