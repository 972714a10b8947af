import { useBaseUrl } from '../base-url.ts';
import { Section } from '../../../patient/section.tsx';
import { useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { hasContact } from './has-contact.ts';

export function WithdrawalSection({ interaction }: ReviewProps) {
  const baseUrl = useBaseUrl();
  const { stopping } = useWords().review;
  return (
    <Section icon="stop" title={stopping.title}>
      <p data-element="164.508(c)(2)(i)">
        {stopping.text} <strong>{`${baseUrl.replace(/^https?:\/\//, '')}/consent/#/my-data`}</strong>.{' '}
        {hasContact(interaction) && stopping.writing(interaction.organization.name)} {stopping.limits}
      </p>
    </Section>
  );
}
