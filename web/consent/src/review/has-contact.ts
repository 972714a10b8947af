import { isEmptyContact } from './contact-lines.tsx';
import type { ReviewSubject } from './review-subject.ts';

/** Whether the page says where one may write to: it names nobody to write to where there is no contact. */
export function hasContact({
  project,
  organization,
}: Pick<ReviewSubject, 'project' | 'organization'>): boolean {
  const contact = project.content?.contact ?? organization.contact;
  return contact !== null && !isEmptyContact(contact);
}
