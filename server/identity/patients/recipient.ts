import { toEmail } from '../../../contract/brands.ts';
import type { EnrolledPatientRow } from './enrolled-patients.sql.ts';
import type { EnrollmentMail } from './invitation.ts';

/**
 * Whom a mail about an enrollment goes to: who decided something, at their own address; before, where the organization has
 * written that they are. What goes to an address that the organization chose says nothing that is the person's own.
 */
export function toRecipient(person: EnrolledPatientRow): EnrollmentMail['to'] {
  const own = { email: person.email, firstName: person.first_name, language: person.language };
  const { enrolled_email: email, enrolled_first_name: firstName, enrolled_language: language } = person;
  if (person.has_decided || email === null) return own;
  const isOwnAddress = toEmail(email) === toEmail(person.email);
  return { email, firstName: firstName ?? own.firstName, language: isOwnAddress ? own.language : language };
}
