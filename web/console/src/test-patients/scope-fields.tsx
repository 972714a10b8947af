import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { useScopes } from './use-scopes.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import type { Withheld } from './withheld.ts';
import './test-patients.css';

interface ScopeFieldsProps {
  /** Checked is what is shared, or what is left out. */
  checked: 'shared' | 'withheld';
  withheld: Withheld;
  onChange: (withheld: Withheld) => void;
}

/** The eighteen categories and the eight protected classes of a consent. */
export function ScopeFields({ checked, withheld, onChange }: ScopeFieldsProps) {
  const { scopes: words } = useTestPatientWords();
  const { names, getLabel } = useScopes();
  const toggle = (name: string) => {
    const next = new Set(withheld);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <div className="stack">
      {checked === 'shared' && withheld.size > 0 && (
        <div>
          <Button variant="quiet" onPress={() => onChange(new Set())}>
            {words.all}
          </Button>
        </div>
      )}
      {(['categories', 'classes'] as const).map((kind) => (
        <fieldset key={kind} className="choices">
          <legend>{words[kind]}</legend>
          <div className="scope-fields">
            {names[kind].map((name) => (
              <Checkbox
                key={name}
                label={getLabel(name)}
                checked={withheld.has(name) === (checked === 'withheld')}
                onChange={() => toggle(name)}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
