import { Checkbox } from '../../../look/choice.tsx';
import { useWords } from '../words/language.tsx';
import { PRIVATE_CLASSES, type PrivateClass } from './groups.ts';

interface ChoosePrivateProps {
  legend: string;
  shared: ReadonlySet<PrivateClass>;
  /** What there is to choose from; all of them unless told. */
  offered?: readonly PrivateClass[];
  onChange: (shared: ReadonlySet<PrivateClass>) => void;
}

/** The classes that law or decency guards more: each on its own, no button for all of them. */
export function ChoosePrivate(props: ChoosePrivateProps) {
  const { legend, shared, offered = PRIVATE_CLASSES, onChange } = props;
  const { data } = useWords();
  const share = (name: PrivateClass, yes: boolean) =>
    onChange(new Set(PRIVATE_CLASSES.filter((other) => (other === name ? yes : shared.has(other)))));
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {offered.map((name) => (
        <Checkbox
          key={name}
          label={data.classes[name].name}
          hint={data.classes[name].means}
          checked={shared.has(name)}
          onChange={(yes) => share(name, yes)}
        />
      ))}
    </fieldset>
  );
}
