import { useId } from 'react';

interface DayFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** The browser's own choice of a day. */
export function DayField({ name, label, error, value, onChange }: DayFieldProps) {
  const errorId = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      {error !== undefined && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
      <div className="field-row">
        <input
          id={name}
          name={name}
          type="date"
          className="field-input"
          value={value}
          {...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': errorId })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </div>
  );
}
