import { usePage } from '../page.ts';
import { Section } from '../section.tsx';
import { useWords } from '../words/language.tsx';
import type { About } from './about.ts';

export function HowToStop({ interaction: { organization } }: About) {
  const { root } = usePage();
  const { stopping } = useWords().review;
  return (
    <Section icon="stop" title={stopping.title}>
      <div className="stack" data-element="164.508(c)(2)(i)">
        <p>{stopping.text}</p>
        <p>
          <strong>{`${root.replace(/^https?:\/\//, '')}/consent/#/my-data`}</strong>
        </p>
        <p>
          {stopping.writing(organization.name)} {stopping.limits}
        </p>
      </div>
    </Section>
  );
}
