import { RadioGroup } from '../../../look/choice.tsx';
import { DayField } from '../../../look/day-field.tsx';
import { faultOf } from '../../../look/form.tsx';
import { Section } from '../section.tsx';
import { dayIn } from '../words/day.ts';
import { useLanguage } from '../words/language.tsx';
import type { About } from './about.ts';
import { FIELDS } from './choices.ts';
import { Ending } from './ending.tsx';
import { otherApps } from './names.ts';
import { daysToChoose, TERMS } from './term.ts';

export function HowLong({ interaction: { previous }, choices, choose, faults, now }: About) {
  const { words, language } = useLanguage();
  const { howLong } = words.review;
  const { first, last } = daysToChoose(now);
  const apps = previous && otherApps(previous, words, language);
  return (
    <Section icon="clock" title={howLong.title}>
      <RadioGroup
        name="term"
        legend={howLong.choose}
        options={TERMS.map((term) => ({
          value: term,
          label: howLong.terms[term],
          ...(term === 'once' && { hint: howLong.once }),
        }))}
        value={choices.term}
        onChange={(term) => choose({ term })}
      >
        {choices.term === 'until' && (
          <DayField
            name={FIELDS.day}
            label={howLong.day}
            hint={howLong.dayHint(dayIn(first, language), dayIn(last, language))}
            error={faultOf(faults, FIELDS.day)}
            {...{ first, last }}
            value={choices.day}
            onChange={(day) => choose({ day })}
          />
        )}
      </RadioGroup>
      <p className="ending" role="status" data-element="164.508(c)(1)(v)">
        <Ending choices={choices} now={now} />
      </p>
      {apps !== null && <p>{howLong.alsoFor(apps)}</p>}
    </Section>
  );
}
