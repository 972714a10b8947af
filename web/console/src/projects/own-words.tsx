import type { ConsentType } from '../../../../contract/account/consent.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { Section } from '../kit/page.tsx';
import { CategoryFields, ContactFields, TextFields } from './content-sections.tsx';
import { CONSENT_TYPES } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';
import type { WordsFormState } from './use-words-form.ts';

/** Which consents the project asks for by itself, and the words of those that have their own. */
export function TypeSection({ form }: { form: WordsFormState }) {
  const words = useProjectWords();
  return (
    <Section title={words.typesTitle}>
      <p className="soft">{words.typesLead}</p>
      <div className="stack">
        {CONSENT_TYPES.map((type) => (
          <AskedType key={type} form={form} type={type} />
        ))}
      </div>
    </Section>
  );
}

function AskedType({ form, type }: { form: WordsFormState; type: ConsentType }) {
  const words = useProjectWords();
  const { types, own } = form.draft;
  const isAsked = types.includes(type);
  const hasOwn = own[type] !== undefined;
  return (
    <div className="project-type">
      <Checkbox
        label={words.types[type]}
        checked={isAsked}
        onChange={(checked) => form.toggleType(type, checked)}
      />
      {isAsked && (
        <div className="project-own">
          <Checkbox
            label={words.hasOwn(words.types[type])}
            hint={words.hasOwnHint}
            checked={hasOwn}
            onChange={(checked) => form.toggleOwn(type, checked)}
          />
          {hasOwn && <OwnWords form={form} type={type} />}
        </div>
      )}
    </div>
  );
}

function OwnWords({ form, type }: { form: WordsFormState; type: ConsentType }) {
  const words = useProjectWords();
  return (
    <fieldset className="project-own-words">
      <legend className="hidden-visually">{words.hasOwn(words.types[type])}</legend>
      <TextFields form={form} type={type} />
      <CategoryFields form={form} type={type} title={words.categoriesTitle} />
      <ContactFields form={form} type={type} />
    </fieldset>
  );
}
