import { useId } from 'react';
import './field.css';

interface SelectFieldProps<Value extends string> {
  /** Names the field within its form, and is its id, so that an error summary can lead to it. */
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** The browser's own list of choices: it needs no script for keys, and is the one that people know on a phone. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { name, label, hint, error, options, value, onChange } = props;
  const [hintId, errorId] = [useId(), useId()];
  const described = [hint && hintId, error && errorId].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      {hint && (
        <p id={hintId} className="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
      <div className="field-row">
        <select
          id={name}
          name={name}
          className="field-input"
          value={value}
          {...(error && { 'aria-invalid': true, 'data-invalid': '' })}
          {...(described !== '' && { 'aria-describedby': described })}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
