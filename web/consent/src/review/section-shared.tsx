import { Section } from '../../../patient/section.tsx';
import { useLanguage } from '../words/use-words.ts';
import { listOtherReadings, quoteReadings } from './other-readings.ts';
import type { ReviewProps } from './review-props.ts';

/** For a person whose record the organization reads already by another yes: that, and that no answer here ends it. */
export function SharedSection({ interaction }: Pick<ReviewProps, 'interaction'>) {
  const { words, language } = useLanguage();
  const { shared } = words.review;
  const readings = listOtherReadings(interaction);
  if (readings.length === 0) return null;
  return (
    <Section icon="eye" title={shared.title(interaction.organization.name)}>
      <p>
        {shared.by(quoteReadings(readings, words, language))} {shared.goesOn}
      </p>
    </Section>
  );
}
