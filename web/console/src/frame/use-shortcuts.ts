import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isTyping } from '../kit/is-typing.ts';
import { useProjectId } from '../kit/use-search.ts';
import { usePermittedPages } from './navigation.tsx';

/** How long the letter after `g` may take. */
const CHORD_MS = 1500;

/** `g` and a letter for pages, `/` for the search, `?` for the list of keys. */
export function useShortcuts({ onHelp }: { onHelp: () => void }): void {
  const pages = usePermittedPages();
  const navigate = useNavigate();
  const project = useProjectId();
  const chordAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const isChord = Date.now() - chordAt.current < CHORD_MS;
      chordAt.current = event.key === 'g' ? Date.now() : 0;
      const page = isChord ? pages.find(({ key }) => key === event.key) : undefined;
      if (page) void navigate({ to: page.path, search: project === null ? {} : { project } });
      else if (event.key === '?') onHelp();
      else if (event.key === '/') document.querySelector<HTMLElement>('.search-input')?.focus();
      else return;
      event.preventDefault();
      // A letter of a chord is no key of a list.
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [pages, navigate, project, onHelp]);
}
