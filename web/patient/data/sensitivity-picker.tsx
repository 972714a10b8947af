import { Checkbox } from '../../kit/choice.tsx';
import { useWords } from '../words/use-words.ts';
import { SENSITIVITIES, type Sensitivity } from './groups.ts';

interface SensitivityPickerProps {
  legend: string;
  /** A heading above says the same. */
  legendHidden?: boolean;
  shared: ReadonlySet<Sensitivity>;
  /** The options; all of them by default. */
  offered?: readonly Sensitivity[];
  onChange: (shared: ReadonlySet<Sensitivity>) => void;
}

/** The classes that law or discretion protects more: each is chosen by itself, and no button chooses all. */
export function SensitivityPicker(props: SensitivityPickerProps) {
  const { legend, legendHidden = false, shared, offered = SENSITIVITIES, onChange } = props;
  const { data } = useWords();
  const share = (name: Sensitivity, yes: boolean) =>
    onChange(new Set(SENSITIVITIES.filter((other) => (other === name ? yes : shared.has(other)))));
  return (
    <fieldset className="choices">
      <legend className={legendHidden ? 'hidden-visually' : undefined}>{legend}</legend>
      {offered.map((name) => (
        <Checkbox
          key={name}
          label={data.sensitivities[name].name}
          hint={data.sensitivities[name].means}
          checked={shared.has(name)}
          onChange={(yes) => share(name, yes)}
        />
      ))}
    </fieldset>
  );
}
