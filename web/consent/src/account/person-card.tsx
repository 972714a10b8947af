import type { Person } from '../api/api.ts';
import { useWords } from '../words/language.tsx';

export function PersonCard({ person }: { person: Person }) {
  const { confirmIdentity: whoIsThis } = useWords();
  return (
    <div className="person">
      <p className="person-name">
        {person.firstName} {person.lastName}
      </p>
      <p className="soft">{person.email}</p>
      {person.isTestPatient && <p className="soft small">{whoIsThis.testPatient}</p>}
    </div>
  );
}
