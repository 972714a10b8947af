import { type InputHTMLAttributes, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField } from 'react-aria-components/TextField';
import './field.css';

export interface FieldProps {
  /** Names the input within its form, and is its id, so that an error summary can lead to it. */
  name: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  type?: 'text' | 'email' | 'password';
  /** The limit of the contract; null: no limit, or the form says when a text is too long, as of passwords, which must not be cut. */
  maxLength: number | null;
  autoComplete: InputHTMLAttributes<HTMLInputElement>['autoComplete'];
  value: string;
  readOnly?: boolean;
  onChange?: (value: string) => void;
  /** For passwords: what the button says that shows them, and the one that hides them. */
  reveal?: Reveal;
}

export interface Reveal {
  show: string;
  hide: string;
  showLabel: string;
  hideLabel: string;
}

export function Field({
  name,
  label,
  hint,
  error,
  type = 'text',
  maxLength,
  reveal,
  readOnly,
  ...rest
}: FieldProps) {
  const [revealed, setRevealed] = useState(false);
  const { autoComplete, value, onChange } = rest;
  return (
    <TextField
      className="field"
      id={name}
      name={name}
      type={revealed ? 'text' : type}
      autoComplete={autoComplete ?? 'off'}
      // Names, addresses and passwords are no prose.
      spellCheck="false"
      value={value}
      isReadOnly={readOnly ?? false}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      {...(maxLength !== null && { maxLength })}
      {...(onChange && { onChange })}
    >
      <Label className="field-label">{label}</Label>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
      <div className={reveal ? 'field-row field-row-secret' : 'field-row'}>
        <Input className="field-input" autoCapitalize={type === 'text' ? 'words' : 'none'} />
        {reveal && (
          <Button
            className="field-reveal"
            aria-label={revealed ? reveal.hideLabel : reveal.showLabel}
            onPress={() => setRevealed(!revealed)}
          >
            {revealed ? reveal.hide : reveal.show}
          </Button>
        )}
      </div>
    </TextField>
  );
}
