import type { FirstStepCode, listFirstSteps } from '../../../../contract/organization/first-steps.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useData } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { useHomeWords } from './use-home-words.ts';

const LINKS: Readonly<Record<FirstStepCode, string>> = {
  words_written: '/projects',
  patient_enrolled: '/patients/import',
  record_connected: '/sources',
  reader_connected: '/webhooks',
  second_owner: '/team',
};

/** What is done at the beginning, until it is done; nothing is said of it while it is not known. */
export function FirstSteps() {
  const { firstSteps: words } = useHomeWords();
  const { data } = useData<typeof listFirstSteps>('GET /v1/organizations/{orgId}/first-steps');
  const projects = useProjects();
  const asksNothing = projects.length > 0 && projects.every(({ consentTypes }) => consentTypes.length === 0);
  if (data === undefined || data.results.every(({ isDone }) => isDone)) return null;
  return (
    <Section title={words.title}>
      <ol className="first-steps">
        {data.results.map(({ code, isDone }) => (
          <li key={code} className={isDone ? 'first-step first-step-done' : 'first-step'}>
            <Icon name={isDone ? 'check' : 'plus'} />
            <div>
              {isDone ? (
                <span>
                  {words.steps[code]} <span className="hidden-visually">{words.done}</span>
                </span>
              ) : (
                <PageLink to={LINKS[code]}>{words.steps[code]}</PageLink>
              )}
              {!isDone && (
                <p className="soft small">
                  {words.hints[code]}
                  {code === 'patient_enrolled' && asksNothing && (
                    <>
                      {' '}
                      <PageLink to="/projects">{words.asksNothing}</PageLink>
                    </>
                  )}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
