import { useState } from 'react';
import { Checkbox } from '../../../kit/choice.tsx';
import { useWords } from '../words/use-words.ts';

export interface Choice {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** Several values stand in the address as the API takes them: separated by commas. */
export const splitValues = (value = ''): readonly string[] => value.split(',').filter(Boolean);

interface ChoicesFilterProps {
  filter: Choice;
  value: string;
  onChange: (value: string) => void;
}

/** No option of a filter is called so: values have no space. */
const SEVERAL = 'several of them';

/** One of some options as in any list of choices; "several" opens a box for each, for a list that keys go through adds nothing. */
export function ChoicesFilter({ filter: { label, options }, value, onChange }: ChoicesFilterProps) {
  const { common, list } = useWords();
  const values = splitValues(value);
  const [isOpen, setIsOpen] = useState(false);
  const isSeveral = isOpen || values.length > 1;
  const choose = (choice: string) => {
    setIsOpen(choice === SEVERAL);
    if (choice !== SEVERAL) onChange(choice);
  };
  const toggle = (option: string) => {
    const chosen = new Set(values).symmetricDifference(new Set([option]));
    setIsOpen(true);
    onChange([...chosen].join());
  };
  return (
    <div className="filter">
      <label className="filter">
        <span className="filter-label">{label}</span>
        <select
          className="filter-input"
          value={isSeveral ? SEVERAL : value}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{common.all}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
          <option value={SEVERAL}>{list.several}</option>
        </select>
      </label>
      {isSeveral && (
        <fieldset className="filter-several" aria-label={label}>
          {options.map((option) => (
            <Checkbox
              key={option.value}
              label={option.label}
              checked={values.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
