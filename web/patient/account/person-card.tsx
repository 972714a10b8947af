import { formatFullName } from '../../../contract/account/person-name.ts';
import type { Person } from '../account-api.ts';
import { useWords } from '../words/use-words.ts';

export function PersonCard({ person }: { person: Person }) {
  const words = useWords();
  return (
    <div className="person">
      <p className="person-name">{formatFullName(person)}</p>
      <p className="soft">{person.email}</p>
      {person.isTestPatient && <p className="soft small">{words.testPatient}</p>}
    </div>
  );
}
