/**
 * The most characters of what people write into fields. The endpoints and the fields of the pages have them from here, so that no
 * field takes what its endpoint refuses. It imports nothing: the library of the other contracts would come with it onto the pages.
 */

/** A representative, a person who is enrolled, a test patient. */
export const MAX_PERSON_NAME_LENGTH = 200;

/** A first or last name that a person gives themselves when they make their account. */
export const MAX_OWN_NAME_LENGTH = 100;

export const MAX_PASSKEY_NAME_LENGTH = 100;

/** What an organization calls something: itself, a project, a member, a key, a source. */
export const MAX_PLAIN_NAME_LENGTH = 200;

/** Of a new one, in code points. */
export const MAX_PASSWORD_LENGTH = 200;

/** What was a password or an address when it was chosen is checked; the rest is refused as wrong. */
export const MAX_GIVEN_PASSWORD_LENGTH = 1000;
export const MAX_GIVEN_EMAIL_LENGTH = 320;

/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
export const MAX_EMAIL_LENGTH = 254;

export const MAX_PHONE_LENGTH = 50;

/** An id that the caller has for a patient. */
export const MAX_EXTERNAL_ID_LENGTH = 200;

/** A code of the authenticator app, or a recovery code. */
export const MAX_CODE_LENGTH = 40;

/** What is looked for in a list. */
export const MAX_SEARCH_LENGTH = 200;

/** What a person looks for in their record. */
export const MAX_QUESTION_LENGTH = 1000;

/** The address of a webhook. */
export const MAX_WEBHOOK_URL_LENGTH = 2000;
export const MAX_WEBHOOK_DESCRIPTION_LENGTH = 500;

/** Of a connected source. */
export const SOURCE_LIMITS = { url: 1000, scope: 1000, clientId: 500, system: 500, secret: 4000 } as const;
