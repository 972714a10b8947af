import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { TextArea } from '../../../kit/text-area.tsx';
import { useWords } from '../words/use-words.ts';
import {
  listFields,
  readFields,
  splitLines,
  type Tool,
  type ToolField,
  writeFields,
} from './schema-fields.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

interface ToolFormProps {
  tool: Tool;
  /** Arguments that stand in the address. */
  initial: unknown;
  busy: boolean;
  /** It cannot be called as it is; what is wrong stands among the children. */
  isStopped: boolean;
  onSubmit: (input: object) => void;
  children: ReactNode;
}

/** The arguments of a tool, by its JSON Schema. */
export function ToolForm({ tool, initial, busy, isStopped, onSubmit, children }: ToolFormProps) {
  const { tryIt: words } = useTestPatientWords();
  const { common } = useWords();
  const fields = listFields(tool.inputSchema);
  const [texts, setTexts] = useState(() => writeFields(fields, initial));
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState(0);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || isStopped) return;
    const read = readFields(fields, texts);
    setFaults(read.faults);
    setAttempt(attempt + 1);
    if (read.faults.length === 0) onSubmit(read.input);
  };
  const change = (name: string) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  return (
    <form className="stack" noValidate onSubmit={submit}>
      {faults.length > 0 && (
        <ErrorSummary
          key={attempt}
          title={common.problem}
          errors={faults.map((name) => ({ field: `arg-${name}`, text: words.fault(name) }))}
        />
      )}
      {fields.length === 0 ? (
        <p>{words.noInput}</p>
      ) : (
        <div className="tool-fields">
          {fields.map((field) => (
            <Argument
              key={field.name}
              field={field}
              text={texts[field.name] ?? ''}
              error={faults.includes(field.name) ? words.fault(field.name) : undefined}
              onChange={change(field.name)}
            />
          ))}
        </div>
      )}
      {children}
      <div>
        <Button type="submit" variant="strong" busy={busy} disabled={isStopped}>
          {words.submit}
        </Button>
      </div>
      <Busy busy={busy} text={words.calling} />
    </form>
  );
}

interface ArgumentProps {
  field: ToolField;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function Argument({ field, text, error, onChange }: ArgumentProps) {
  const { tryIt: words } = useTestPatientWords();
  const { name, kind, options, isRequired, fallback } = field;
  const hints = [field.hint, fallback && words.fallback(fallback), kind === 'lines' && words.linesHint];
  const hint = hints.filter(Boolean).join(' ') || undefined;
  const label = isRequired ? name : `${name} (${words.optional})`;
  const shared = { name: `arg-${name}`, label, hint, error, value: text, onChange };
  switch (kind) {
    case 'choices':
      return <Choices field={field} label={label} hint={hint} text={text} onChange={onChange} />;
    case 'choice':
      return (
        <SelectField
          {...shared}
          options={[{ value: '', label: words.any }, ...options.map((value) => ({ value, label: value }))]}
        />
      );
    case 'yes':
      return (
        <Checkbox
          id={shared.name}
          label={label}
          hint={hint}
          checked={text === 'true'}
          onChange={(isChecked) => onChange(isChecked ? 'true' : '')}
        />
      );
    case 'lines':
    case 'json':
      return <TextArea {...shared} rows={3} maxLength={null} />;
    default:
      return <Field {...shared} autoComplete="off" maxLength={null} />;
  }
}

interface ChoicesProps extends Pick<ArgumentProps, 'field' | 'text' | 'onChange'> {
  label: string;
  hint: string | undefined;
}

/** Several of some: what is chosen stays in the order of the schema. */
function Choices({ field, label, hint, text, onChange }: ChoicesProps) {
  const chosen = splitLines(text);
  const toggle = (value: string, isChosen: boolean) =>
    onChange(
      field.options.filter((option) => (option === value ? isChosen : chosen.includes(option))).join('\n'),
    );
  return (
    <fieldset className="choices tool-choices">
      <legend>{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      <div className="scope-fields">
        {field.options.map((value) => (
          <Checkbox
            key={value}
            label={value}
            checked={chosen.includes(value)}
            onChange={(isChosen) => toggle(value, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}
