import { Notice } from '../../../kit/notice.tsx';
import { useProjects } from '../frame/project-switcher.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { usePatientWords } from './use-patient-words.ts';

/** Says, where people are invited, which projects would ask them for nothing; absent: to all that the member may see. */
export function AsksNothing({ projectId }: { projectId?: string | undefined }) {
  const { asksNothing: words } = usePatientWords();
  const silent = useProjects().filter(
    ({ id, consentTypes }) => consentTypes.length === 0 && (projectId === undefined || projectId === id),
  );
  if (silent.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>
        <strong>{words.title}</strong> {words.text}
      </p>
      <ul>
        {silent.map(({ id, name }) => (
          <li key={id}>
            <PageLink to={`/projects/${id}`}>{name}</PageLink>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
