import type { LocalizedProjectContent, ProjectContent } from '../../../../contract/organization/projects.ts';
import type { z } from 'zod';
import { CATEGORIES, CONTACT_FIELDS, LANGUAGES, TEXTS } from './project-data.ts';

type Localized = z.infer<typeof LocalizedProjectContent>;
type LanguageName = (typeof LANGUAGES)[number];
type TextName = (typeof TEXTS)[number];

/** A text of a project's content, by its path in the contract: a refusal names the same. */
export type ContentField =
  | `${LanguageName}.${TextName}`
  | `${LanguageName}.categoryPurposes.${(typeof CATEGORIES)[number]}`
  | `contact.${(typeof CONTACT_FIELDS)[number]}`;

/** The texts that are filled in. */
export type ContentTexts = Partial<Record<ContentField, string>>;

/** Every text that a project may have, in the order in which patients read them. */
export const CONTENT_FIELDS: readonly ContentField[] = [
  ...TEXTS.flatMap((text) => LANGUAGES.map((language) => `${language}.${text}` as const)),
  ...CATEGORIES.flatMap((category) =>
    LANGUAGES.map((language) => `${language}.categoryPurposes.${category}` as const),
  ),
  ...CONTACT_FIELDS.map((name) => `contact.${name}` as const),
];

const LIMITS = { title: 200, purpose: 4000, benefits: 4000, risks: 4000 } as const;
const CONTACT_LIMITS = { name: 200, email: 254, phone: 50 } as const;
const CATEGORY_LIMIT = 300;

/** The most characters that a text may have. */
export function getLimit(field: ContentField): number {
  const [part, name = ''] = field.split('.');
  if (part === 'contact') return CONTACT_LIMITS[name as keyof typeof CONTACT_LIMITS];
  return name === 'categoryPurposes' ? CATEGORY_LIMIT : LIMITS[name as keyof typeof LIMITS];
}

/** Lays the texts of a content side by side, by their paths. */
export function readTexts(content: ProjectContent | null): ContentTexts {
  const texts: ContentTexts = {};
  for (const field of CONTENT_FIELDS) {
    const value = field.split('.').reduce<unknown>((at, key) => (at as Tree)?.[key], content);
    if (typeof value === 'string') texts[field] = value;
  }
  return texts;
}

type Tree = Record<string, unknown> | null | undefined;

/** Builds the content of what is filled in; a language without a text is left out of it. */
export function buildContent(texts: ContentTexts): ProjectContent {
  const read = (field: ContentField): string | null => texts[field]?.trim() || null;
  const contact = {
    name: read('contact.name'),
    email: read('contact.email'),
    phone: read('contact.phone'),
  };
  const hasContact = Object.values(contact).some((value) => value !== null);
  const built = LANGUAGES.filter((language) => isStarted(texts, language)).map(
    (language) => [language, buildLanguage(read, language)] as const,
  );
  return { ...Object.fromEntries(built), contact: hasContact ? contact : null };
}

function buildLanguage(read: (field: ContentField) => string | null, language: LanguageName): Localized {
  const purposes = CATEGORIES.flatMap((category) => {
    const text = read(`${language}.categoryPurposes.${category}`);
    return text === null ? [] : [[category, text] as const];
  });
  return {
    title: read(`${language}.title`) ?? '',
    purpose: read(`${language}.purpose`) ?? '',
    benefits: read(`${language}.benefits`),
    risks: read(`${language}.risks`),
    ...(purposes.length > 0 && { categoryPurposes: Object.fromEntries(purposes) }),
  };
}

/** Whether something is written in a language. */
export const isStarted = (texts: ContentTexts, language: LanguageName): boolean =>
  CONTENT_FIELDS.some((field) => field.startsWith(`${language}.`) && isFilled(texts, field));

const isFilled = (texts: ContentTexts, field: ContentField): boolean => (texts[field] ?? '').trim() !== '';

export type ContentFault = 'missing' | 'long' | 'email';

/** What is wrong with the texts, by field: a language that is begun needs its title and purpose, and one must be. */
export function findFaults(texts: ContentTexts): Map<ContentField, ContentFault> {
  const faults = new Map<ContentField, ContentFault>();
  const begun = LANGUAGES.filter((language) => isStarted(texts, language));
  for (const language of begun.length === 0 ? LANGUAGES.slice(0, 1) : begun)
    for (const text of ['title', 'purpose'] as const)
      if (!isFilled(texts, `${language}.${text}`)) faults.set(`${language}.${text}`, 'missing');
  for (const field of CONTENT_FIELDS)
    if ((texts[field] ?? '').trim().length > getLimit(field)) faults.set(field, 'long');
  const email = texts['contact.email']?.trim() ?? '';
  if (email !== '' && !/^\S+@\S+\.\S+$/.test(email)) faults.set('contact.email', 'email');
  return faults;
}

/** Lists the texts that are missing in one of two languages that are both begun: its readers read them in the other. */
export function findMissingTranslations(texts: ContentTexts): ContentField[] {
  if (!LANGUAGES.every((language) => isStarted(texts, language))) return [];
  return CONTENT_FIELDS.filter((field) => {
    const [language = '', ...path] = field.split('.');
    const others = LANGUAGES.filter((other) => other !== language).map(
      (other) => [other, ...path].join('.') as ContentField,
    );
    return (
      language !== 'contact' && !isFilled(texts, field) && others.some((other) => isFilled(texts, other))
    );
  });
}
