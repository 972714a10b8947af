import { Notice } from '../../../look/notice.tsx';
import { ChoosePrivate } from '../data/choose-private.tsx';
import { Section } from '../section.tsx';
import { useWords } from '../words/language.tsx';
import type { About } from './about.ts';
import { Part2 } from './part-2.tsx';

export function Private(about: About) {
  const words = useWords().review.private;
  const { choices, choose } = about;
  return (
    <Section icon="lock" title={words.title}>
      <p>{words.lead}</p>
      <ChoosePrivate
        legend={words.choose}
        shared={choices.privately}
        onChange={(privately) => choose({ privately })}
      />
      <Notice>{words.limits}</Notice>
      {choices.privately.has('SUD_PART_2') && <Part2 {...about} />}
    </Section>
  );
}
