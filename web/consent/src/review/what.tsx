import { faultOf } from '../../../look/form.tsx';
import { ChooseCategories } from '../data/choose-categories.tsx';
import { Section } from '../section.tsx';
import { useWords } from '../words/language.tsx';
import type { About } from './about.ts';
import { FIELDS } from './choices.ts';
import { Fact } from './fact.tsx';
import { recipients } from './names.ts';

export function What({ interaction, choices, choose, faults }: About) {
  const words = useWords();
  const { what } = words.review;
  return (
    <Section icon="record" title={what.title}>
      <dl className="facts">
        <Fact name={what.gives} element="164.508(c)(1)(ii)">
          {what.givesText(interaction.organization.name)}
        </Fact>
        <Fact name={what.gets} element="164.508(c)(1)(iii)">
          {recipients(interaction, words)}
        </Fact>
      </dl>
      <p>{what.readOnly}</p>
      <div data-element="164.508(c)(1)(i)">
        <ChooseCategories
          legend={what.choose}
          shared={choices.categories}
          error={faultOf(faults, FIELDS.categories)}
          onChange={(categories) => choose({ categories })}
        />
      </div>
    </Section>
  );
}
