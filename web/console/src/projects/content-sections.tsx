import { Field } from '../../../kit/field.tsx';
import { TextArea } from '../../../kit/text-area.tsx';
import { Section } from '../kit/page.tsx';
import type { ContentField } from './content-fields.ts';
import { CATEGORIES, CONTACT_FIELDS, LANGUAGES, TEXTS } from './project-data.ts';
import { useDescribeField } from './use-describe-field.ts';
import { useProjectWords } from './use-project-words.ts';
import type { WordsFormState } from './use-words-form.ts';

const ROWS = { title: 1, purpose: 7, benefits: 4, risks: 4 } as const;

/** Title, purpose, benefits and risks: each in English and, beside it, in Spanish. */
export function TextSection({ form }: { form: WordsFormState }) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  return (
    <Section title={words.tabs.words}>
      {TEXTS.map((text) => (
        <div key={text} className="project-pair">
          {LANGUAGES.map((language) => {
            const name = `${language}.${text}` as const;
            const label = describeField(name);
            return text === 'title' ? (
              <Field
                key={name}
                {...form.field(name)}
                label={label}
                hint={words.hints[text]}
                autoComplete="off"
              />
            ) : (
              <TextArea
                key={name}
                {...form.field(name)}
                label={label}
                hint={words.hints[text]}
                rows={ROWS[text]}
                lang={language}
              />
            );
          })}
        </div>
      ))}
    </Section>
  );
}

/** What needs each category; closed, since most projects leave most of them out. */
export function CategorySection({ form }: { form: WordsFormState }) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  const isNamed = (field: string) => field.includes('.categoryPurposes.');
  const isFaulty = form.errors.some(({ field = '' }) => isNamed(field));
  return (
    <section className="card">
      <details className="project-categories" {...(isFaulty && { open: true })}>
        <summary>
          <h2>{words.categoriesTitle}</h2>
        </summary>
        <p className="soft">{words.categoriesLead}</p>
        {CATEGORIES.map((category) => (
          <div key={category} className="project-pair">
            {LANGUAGES.map((language) => {
              const name: ContentField = `${language}.categoryPurposes.${category}`;
              return (
                <Field key={name} {...form.field(name)} label={describeField(name)} autoComplete="off" />
              );
            })}
          </div>
        ))}
      </details>
    </section>
  );
}

/** Who answers people's questions; the same in both languages. */
export function ContactSection({ form }: { form: WordsFormState }) {
  const words = useProjectWords();
  return (
    <Section title={words.contactTitle}>
      <p className="soft">{words.contactLead}</p>
      <div className="project-contact">
        {CONTACT_FIELDS.map((name) => (
          <Field
            key={name}
            {...form.field(`contact.${name}`)}
            label={words.contact[name]}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete="off"
          />
        ))}
      </div>
    </Section>
  );
}
