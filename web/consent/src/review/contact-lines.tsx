import type { ProjectContent } from '../api.ts';

export type Contact = NonNullable<ProjectContent['contact']>;

export const isEmptyContact = ({ name, email, phone }: Contact): boolean =>
  name === null && email === null && phone === null;

/** Who answers questions, as links, so that a person can ask before they decide. */
export function ContactLines({ contact: { name, email, phone } }: { contact: Contact }) {
  return (
    <>
      {name !== null && <span className="line">{name}</span>}
      {phone !== null && (
        <a className="line" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
          {phone}
        </a>
      )}
      {email !== null && (
        <a className="line" href={`mailto:${email}`}>
          {email}
        </a>
      )}
    </>
  );
}
