import { useId } from 'react';
import './field.css';

interface DateFieldProps {
  /** Its id, so that an error summary can lead to it. */
  name: string;
  label: string;
  hint: string;
  error?: string | undefined;
  /** Days as 2026-11-20; the value is '' while there is none. */
  value: string;
  first: string;
  last: string;
  onChange: (value: string) => void;
}

/** The browser's own date field: on a phone it opens the calendar that people know, in their language. */
export function DateField({ name, label, hint, error, value, first, last, onChange }: DateFieldProps) {
  const [hintId, errorId] = [useId(), useId()];
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <p id={hintId} className="field-hint">
        {hint}
      </p>
      {error !== undefined && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
      <div className="field-row">
        <input
          id={name}
          type="date"
          className="field-input field-day"
          value={value}
          min={first}
          max={last}
          required
          aria-describedby={error === undefined ? hintId : `${errorId} ${hintId}`}
          {...(error !== undefined && { 'aria-invalid': true, 'data-invalid': true })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </div>
  );
}
