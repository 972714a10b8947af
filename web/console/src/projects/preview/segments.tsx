import { useId } from 'react';

interface SegmentsProps<Name extends string> {
  legend: string;
  /** What can be chosen, and its words. */
  names: Readonly<Record<Name, string>>;
  value: Name;
  onChange: (name: Name) => void;
}

/** A few choices in a row, of which one holds. */
export function Segments<Name extends string>({ legend, names, value, onChange }: SegmentsProps<Name>) {
  const group = useId();
  return (
    <fieldset className="segments">
      <legend className="hidden-visually">{legend}</legend>
      {(Object.entries(names) as [Name, string][]).map(([name, text]) => (
        <label key={name} className="segment">
          <input
            type="radio"
            className="hidden-visually"
            name={group}
            checked={name === value}
            onChange={() => onChange(name)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
