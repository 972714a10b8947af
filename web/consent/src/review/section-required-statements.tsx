import { Section } from '../../../patient/section.tsx';
import { useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { formatRequester } from './review-subject.ts';

export function RequiredStatementsSection({ interaction }: ReviewProps) {
  const words = useWords();
  const { good } = words.review;
  return (
    <Section icon="info" title={good.title}>
      <p data-element="164.508(c)(2)(ii)">{good.free(interaction.organization.name)}</p>
      <p data-element="164.508(c)(2)(iii)">{good.passedOn(formatRequester(interaction, words))}</p>
      <p data-element="164.508(c)(4)">{good.copy}</p>
    </Section>
  );
}
