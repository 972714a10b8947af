import { useWords } from '../words/use-words.ts';
import { Page } from './page.tsx';
import { PageLink } from './page-link.tsx';

/** An address of the console that is no page. */
export function NotFound() {
  const { states } = useWords();
  return (
    <Page name="not-found" title={states.notFoundTitle} lead={states.notFound}>
      <p>
        <PageLink to="/">{states.toHome}</PageLink>
      </p>
    </Page>
  );
}
