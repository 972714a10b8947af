import { Icon } from '../../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { ContactLines, type Contact } from './contact-lines.tsx';

interface OrganizationCardProps {
  organization: { name: string; contact: Contact | null };
}

/** The organization that asks without an app, and who there answers questions. */
export function OrganizationCard({ organization: { name, contact } }: OrganizationCardProps) {
  const { invitation } = useWords();
  return (
    <div className="asker asker-organization">
      <span className="asker-letter">
        <Icon name="building" />
      </span>
      <div className="asker-words">
        <p className="asker-name">{name}</p>
        {contact && (
          <p className="small">
            <span className="soft">{invitation.questions}</span>
            <ContactLines contact={contact} />
          </p>
        )}
      </div>
    </div>
  );
}
