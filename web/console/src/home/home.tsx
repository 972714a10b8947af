import { Icon } from '../../../kit/icon.tsx';
import { useConsole } from '../api/use-console.ts';
import { usePermittedPages } from '../frame/navigation.tsx';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { useWords } from '../words/use-words.ts';
import { Activity } from './activity.tsx';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { useHomeWords } from './use-home-words.ts';
import './home.css';

/** The first page: what needs somebody, how it goes, and where everything is. */
export function Home() {
  const words = useHomeWords();
  const { pages: names } = useWords();
  const { organization } = useConsole();
  const pages = usePermittedPages().filter(({ name }) => name in words.hints);
  return (
    <Page name="home" title={words.title} lead={words.lead(organization.name)}>
      <Attention />
      <FirstSteps />
      <Activity />
      <ul className="home-pages" aria-label={words.pages}>
        {pages.map(({ name, path, icon }) => (
          <li key={name} className="home-page">
            <Icon name={icon} />
            <div>
              <PageLink to={path}>{names[name]}</PageLink>
              <p className="soft small">{words.hints[name as keyof typeof words.hints]}</p>
            </div>
          </li>
        ))}
      </ul>
    </Page>
  );
}
