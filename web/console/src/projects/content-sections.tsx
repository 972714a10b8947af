import type { ReactNode } from 'react';
import type { ConsentType } from '../../../../contract/account/consent.ts';
import { Field } from '../../../kit/field.tsx';
import { TextArea } from '../../../kit/text-area.tsx';
import { Section } from '../kit/page.tsx';
import { CATEGORIES, CONTACT_FIELDS, LANGUAGES, TEXTS } from './project-data.ts';
import { useDescribeField } from './use-describe-field.ts';
import { useProjectWords } from './use-project-words.ts';
import type { WordsFormState } from './use-words-form.ts';

const ROWS = { title: 1, purpose: 7, benefits: 4, risks: 4 } as const;

export interface ContentFieldsProps {
  form: WordsFormState;
  /** The consent whose own words they are; none: they are those of the project. */
  type?: ConsentType | null;
}

/** Title, purpose, benefits and risks: each in English and, beside it, in Spanish. */
export function TextSection({ form }: ContentFieldsProps) {
  const words = useProjectWords();
  return (
    <Section title={words.tabs.words}>
      <TextFields form={form} />
    </Section>
  );
}

export function TextFields({ form, type = null }: ContentFieldsProps) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  return TEXTS.map((text) => (
    <div key={text} className="project-pair">
      {LANGUAGES.map((language) => {
        const name = `${language}.${text}` as const;
        const field = {
          ...form.field(name, type),
          label: describeField(name, type),
          hint: words.hints[text],
        };
        return text === 'title' ? (
          <Field key={name} {...field} autoComplete="off" maxLength={null} />
        ) : (
          <TextArea key={name} {...field} rows={ROWS[text]} lang={language} maxLength={null} />
        );
      })}
    </div>
  ));
}

/** What needs each category; closed, since most projects leave most of them out. */
export function CategorySection({ form }: ContentFieldsProps) {
  const words = useProjectWords();
  return (
    <section className="card">
      <CategoryFields form={form} title={<h2>{words.categoriesTitle}</h2>} />
    </section>
  );
}

export function CategoryFields({ form, type = null, title }: ContentFieldsProps & { title: ReactNode }) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  const names = CATEGORIES.map((category) =>
    LANGUAGES.map((language) => `${language}.categoryPurposes.${category}` as const),
  );
  const isFaulty = names.flat().some((name) => form.field(name, type).error !== undefined);
  return (
    <details className="project-categories" {...(isFaulty && { open: true })}>
      <summary>{title}</summary>
      <p className="soft">{words.categoriesLead}</p>
      {names.map((pair) => (
        <div key={pair[0]} className="project-pair">
          {pair.map((name) => (
            <Field
              key={name}
              {...form.field(name, type)}
              label={describeField(name, type)}
              autoComplete="off"
              maxLength={null}
            />
          ))}
        </div>
      ))}
    </details>
  );
}

/** Who answers people's questions; the same in both languages. */
export function ContactSection({ form }: ContentFieldsProps) {
  const words = useProjectWords();
  return (
    <Section title={words.contactTitle}>
      <p className="soft">{words.contactLead}</p>
      <ContactFields form={form} />
    </Section>
  );
}

export function ContactFields({ form, type = null }: ContentFieldsProps) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  return (
    <div className="project-contact">
      {CONTACT_FIELDS.map((name) => (
        <Field
          key={name}
          {...form.field(`contact.${name}`, type)}
          label={type === null ? words.contact[name] : describeField(`contact.${name}`, type)}
          type={name === 'email' ? 'email' : 'text'}
          autoComplete="off"
          maxLength={null}
        />
      ))}
    </div>
  );
}
