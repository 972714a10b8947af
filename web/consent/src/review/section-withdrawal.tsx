import { useBaseUrl } from '../base-url.ts';
import { Section } from '../../../patient/section.tsx';
import { useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';

export function WithdrawalSection({ interaction: { organization } }: ReviewProps) {
  const baseUrl = useBaseUrl();
  const { stopping } = useWords().review;
  return (
    <Section icon="stop" title={stopping.title}>
      <p data-element="164.508(c)(2)(i)">
        {stopping.text} <strong>{`${baseUrl.replace(/^https?:\/\//, '')}/consent/#/my-data`}</strong>.{' '}
        {stopping.writing(organization.name)} {stopping.limits}
      </p>
    </Section>
  );
}
