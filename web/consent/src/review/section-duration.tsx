import { RadioGroup } from '../../../kit/choice.tsx';
import { DateField } from '../../../kit/date-field.tsx';
import { findError } from '../../../kit/form.tsx';
import { Section } from '../../../patient/section.tsx';
import { formatCalendarDay } from '../../../kit/format-date.ts';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { FIELD_IDS } from './choices.ts';
import { ConsentExpiry } from './consent-expiry.tsx';
import { formatSharedUntil } from './shared-until.ts';
import { formatOtherApps } from './names.ts';
import { getSelectableDays, DURATIONS } from './duration.ts';

export function DurationSection({ interaction, choices, updateChoices, errors, now }: ReviewProps) {
  const { words, language } = useLanguage();
  const { howLong } = words.review;
  const { previous, client } = interaction;
  const { first, last } = getSelectableDays(now);
  // What an app is given is for the app alone.
  const apps = client === null && previous !== null ? formatOtherApps(previous, words, language) : null;
  const asNow = formatSharedUntil(interaction, language);
  return (
    <Section icon="clock" title={howLong.title}>
      <RadioGroup
        name="term"
        paired
        legendHidden
        legend={howLong.choose}
        options={[
          ...(asNow === null ? [] : [{ value: 'as-now' as const, label: howLong.asNow(asNow), wide: true }]),
          ...DURATIONS.filter((duration) => client !== null || duration !== 'once').map((duration) => ({
            value: duration,
            label: howLong.durations[duration],
            ...(duration === 'once' && { hint: howLong.once, wide: true }),
          })),
        ]}
        value={choices.duration}
        onChange={(duration) => updateChoices({ duration })}
      >
        {choices.duration === 'until' && (
          <DateField
            name={FIELD_IDS.day}
            label={howLong.day}
            hint={howLong.dayHint(formatCalendarDay(first, language), formatCalendarDay(last, language))}
            error={findError(errors, FIELD_IDS.day)}
            {...{ first, last }}
            value={choices.day}
            onChange={(day) => updateChoices({ day })}
          />
        )}
      </RadioGroup>
      <p className="ending" role="status" data-element="164.508(c)(1)(v)">
        <ConsentExpiry {...{ interaction, choices, now }} />
      </p>
      {apps !== null && <p>{howLong.alsoFor(apps)}</p>}
    </Section>
  );
}
