import { MAX_PERSON_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Checkbox, RadioGroup } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { findError } from '../../../kit/form.tsx';
import { useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { type Authority, FIELD_IDS } from './choices.ts';

const AUTHORITIES: readonly Authority[] = ['parent', 'guardian', 'power-of-attorney', 'other'];

/** A representative states their name and their authority to sign. */
export function RepresentativeFields({ choices, updateChoices, errors }: ReviewProps) {
  const { authorities, review } = useWords();
  const { decision } = review;
  const { hasRepresentative, representative } = choices;
  return (
    <div className="stack">
      <Checkbox
        label={decision.represent}
        checked={hasRepresentative}
        onChange={(hasRepresentative) => updateChoices({ hasRepresentative })}
      />
      {hasRepresentative && (
        <div className="stack stack-wide represented">
          <Field
            name={FIELD_IDS.name}
            label={decision.representName}
            autoComplete="off"
            maxLength={MAX_PERSON_NAME_LENGTH}
            error={findError(errors, FIELD_IDS.name)}
            value={representative.name}
            onChange={(name) => updateChoices({ representative: { ...representative, name } })}
          />
          <RadioGroup
            name={FIELD_IDS.authority}
            legend={decision.authority}
            error={findError(errors, FIELD_IDS.authority)}
            options={AUTHORITIES.map((value) => ({ value, label: authorities[value] }))}
            value={representative.authority}
            onChange={(authority) => updateChoices({ representative: { ...representative, authority } })}
          />
        </div>
      )}
    </div>
  );
}
