import { formatCalendarDay } from '../../../kit/format-date.ts';
import { Id } from '../kit/copy-button.tsx';
import { Section } from '../kit/page.tsx';
import { ProjectNames } from '../kit/project-picker.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { TestPatientData } from './test-patient-data.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

/** Who the made-up person is. */
export function PersonSection({ person }: { person: TestPatientData }) {
  const { person: words, notBorn, noProjects } = useTestPatientWords();
  const { language } = useLanguage();
  const { email, dateOfBirth, createdAt, projectIds } = person;
  return (
    <Section title={words.title}>
      <dl className="facts">
        <dt>{words.email}</dt>
        <dd>
          <Id id={email} subject={words.email} />
        </dd>
        <dt>{words.born}</dt>
        <dd>{dateOfBirth === null ? notBorn : formatCalendarDay(dateOfBirth, language)}</dd>
        <dt>{words.created}</dt>
        <dd>
          <RelativeTime time={createdAt} />
        </dd>
        <dt>{words.projects}</dt>
        <dd>{projectIds.length === 0 ? noProjects : <ProjectNames ids={projectIds} />}</dd>
      </dl>
    </Section>
  );
}
