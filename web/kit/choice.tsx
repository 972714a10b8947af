import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';
import './choice.css';

interface CheckboxProps {
  /** The id that an error summary links to. */
  id?: string;
  label: string;
  hint?: string | undefined;
  /** Stands beside the label, for the person alone: pictures of the page leave it out. */
  aside?: string | undefined;
  checked: boolean;
  /** Part of what it stands for is checked. */
  mixed?: boolean;
  onChange: (checked: boolean) => void;
}

/** The browser's own checkbox with our mark: it needs no script for keys, forced colors or voice control. */
export function Checkbox({ id, label, hint, aside, checked, mixed = false, onChange }: CheckboxProps) {
  const [nameId, hintId, asideId] = [useId(), useId(), useId()];
  const described = [aside === undefined ? [] : asideId, hint === undefined ? [] : hintId].flat();
  return (
    <label className="choice">
      <input
        type="checkbox"
        className="choice-input"
        {...(id !== undefined && { id })}
        ref={(input) => {
          if (input) input.indeterminate = mixed;
        }}
        checked={checked}
        aria-labelledby={nameId}
        {...(described.length > 0 && { 'aria-describedby': described.join(' ') })}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="choice-mark">
        <Icon name="check" />
        <Icon name="minus" />
      </span>
      <ChoiceLabel {...{ nameId, hintId, asideId, label, hint, aside }} />
    </label>
  );
}

interface RadioGroupProps<Value extends string> {
  /** Names the group within its page, and is the id of its first choice. */
  name: string;
  legend: string;
  /** `wide`: takes a row of its own where the others stand in pairs. */
  options: readonly { value: Value; label: string; hint?: string; wide?: boolean }[];
  /** Options stand two by two where their words fit. */
  paired?: boolean;
  /** A heading above says the same. */
  legendHidden?: boolean;
  /** null: nothing is chosen. */
  value: Value | null;
  error?: string | undefined;
  onChange: (value: Value) => void;
  /** Fields that belong to the chosen option. */
  children?: ReactNode;
}

export function RadioGroup<Value extends string>({
  name,
  legend,
  options,
  paired = false,
  ...rest
}: RadioGroupProps<Value>) {
  const { value, legendHidden = false, error, onChange, children } = rest;
  const errorId = useId();
  return (
    <fieldset className="choices" {...(error !== undefined && { 'aria-describedby': errorId })}>
      <legend className={legendHidden ? 'hidden-visually' : undefined}>{legend}</legend>
      {error !== undefined && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
      <div className={paired ? 'choice-pairs' : undefined}>
        {options.map((option, index) => (
          <Radio
            key={option.value}
            {...option}
            name={name}
            first={index === 0}
            checked={option.value === value}
            onChoose={() => onChange(option.value)}
          />
        ))}
      </div>
      {children}
    </fieldset>
  );
}

interface RadioProps {
  name: string;
  value: string;
  label: string;
  hint?: string;
  wide?: boolean;
  first: boolean;
  checked: boolean;
  onChoose: () => void;
}

function Radio({ name, value, label, hint, wide = false, first, checked, onChoose }: RadioProps) {
  const [nameId, hintId] = [useId(), useId()];
  return (
    <label className={`choice choice-radio${wide ? ' choice-wide' : ''}`}>
      <input
        type="radio"
        className="choice-input"
        {...(first && { id: name })}
        name={name}
        value={value}
        checked={checked}
        aria-labelledby={nameId}
        {...(hint !== undefined && { 'aria-describedby': hintId })}
        onChange={onChoose}
      />
      <span className="choice-mark" />
      <ChoiceLabel {...{ nameId, hintId, label, hint }} />
    </label>
  );
}

interface ChoiceLabelProps {
  nameId: string;
  hintId: string;
  asideId?: string;
  label: string;
  hint?: string | undefined;
  aside?: string | undefined;
}

function ChoiceLabel({ nameId, hintId, asideId, label, hint, aside }: ChoiceLabelProps) {
  return (
    <span>
      <span id={nameId} className="choice-name">
        {label}
      </span>
      {aside !== undefined && (
        <span id={asideId} className="choice-aside" data-private>
          {/* No line begins with a dot. */}
          {`\u00a0· ${aside}`}
        </span>
      )}
      {hint !== undefined && (
        <span id={hintId} className="choice-hint">
          {hint}
        </span>
      )}
    </span>
  );
}
