import { Checkbox, RadioGroup } from '../../../look/choice.tsx';
import { Field } from '../../../look/field.tsx';
import { faultOf } from '../../../look/form.tsx';
import { useWords } from '../words/language.tsx';
import type { About } from './about.ts';
import { type Authority, FIELDS } from './choices.ts';

const AUTHORITIES: readonly Authority[] = ['parent', 'guardian', 'power-of-attorney', 'other'];

/** Whoever signs for the patient says who they are and what lets them. */
export function Represented({ choices, choose, faults }: About) {
  const { decision } = useWords().review;
  const { represented, representative } = choices;
  return (
    <div className="stack">
      <Checkbox
        label={decision.represent}
        checked={represented}
        onChange={(represented) => choose({ represented })}
      />
      {represented && (
        <div className="stack stack-wide represented">
          <Field
            name={FIELDS.name}
            label={decision.representName}
            autoComplete="off"
            error={faultOf(faults, FIELDS.name)}
            value={representative.name}
            onChange={(name) => choose({ representative: { ...representative, name } })}
          />
          <RadioGroup
            name={FIELDS.authority}
            legend={decision.authority}
            error={faultOf(faults, FIELDS.authority)}
            options={AUTHORITIES.map((value) => ({ value, label: decision.authorities[value] }))}
            value={representative.authority}
            onChange={(authority) => choose({ representative: { ...representative, authority } })}
          />
        </div>
      )}
    </div>
  );
}
