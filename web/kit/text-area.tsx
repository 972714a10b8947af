import { useId } from 'react';
import './field.css';

interface TextAreaProps {
  /** Names the field within its form, and is its id, so that an error summary can lead to it. */
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  rows?: number;
  /** The language of what is written in it. */
  lang?: string;
  /** As of a field. */
  maxLength: number | null;
  value: string;
  onChange: (value: string) => void;
}

/** A field for more than a line. */
export function TextArea({ name, label, hint, error, rows = 5, ...rest }: TextAreaProps) {
  const { lang, maxLength, value, onChange } = rest;
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
        <textarea
          id={name}
          name={name}
          className="field-input"
          rows={rows}
          {...(lang !== undefined && { lang })}
          {...(maxLength !== null && { maxLength })}
          value={value}
          {...(error && { 'aria-invalid': true, 'data-invalid': '' })}
          {...(described !== '' && { 'aria-describedby': described })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </div>
  );
}
