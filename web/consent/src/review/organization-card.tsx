import type { BrandedOrganization } from '../../../../contract/organization/brand.ts';
import { Mark } from '../../../patient/brand.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { ContactLines, type Contact } from './contact-lines.tsx';

interface OrganizationCardProps {
  organization: BrandedOrganization & { contact: Contact | null };
}

/** The organization that asks without an app, and who there answers questions. */
export function OrganizationCard({ organization: { name, contact, brand } }: OrganizationCardProps) {
  const { invitation } = useWords();
  return (
    <div className="asker asker-organization">
      {brand?.mark ? (
        <Mark hash={brand.mark} />
      ) : (
        <span className="asker-letter">
          <Icon name="building" />
        </span>
      )}
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
