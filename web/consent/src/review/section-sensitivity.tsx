import { SensitivityGroup } from '../../../patient/data/sensitivity-group.tsx';
import { Section } from '../../../patient/section.tsx';
import { useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { Part2 } from './part-2.tsx';

export function SensitivitySection(props: ReviewProps) {
  const words = useWords().review.private;
  const { choices, updateChoices } = props;
  return (
    <Section icon="lock" title={words.title}>
      <p>{words.lead}</p>
      <SensitivityGroup
        legend={words.title}
        shared={choices.sensitivities}
        onChange={(sensitivities) => updateChoices({ sensitivities })}
      />
      <p className="soft small">{words.limits}</p>
      {choices.sensitivities.has('SUD_PART_2') && <Part2 {...props} />}
    </Section>
  );
}
