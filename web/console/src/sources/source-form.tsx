import { useState } from 'react';
import type { Source } from '../../../../contract/organization/sources.ts';
import { MAX_PLAIN_NAME_LENGTH, SOURCE_LIMITS } from '../../../../contract/text-limits.ts';
import { Checkbox, RadioGroup } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { pickChanged, requireUnchanged } from '../kit/pick-changed.ts';
import { ProjectPicker } from '../kit/project-picker.tsx';
import { requireText, skipValidation, useForm, type Validator } from '../kit/use-form.ts';
import {
  buildInput,
  type Choices,
  type Name,
  needsSystem,
  readChoices,
  readInput,
  readTexts,
  type SourceInput,
} from './source-input.ts';
import { useSourceWords } from './use-source-words.ts';

const SIGN_INS = ['smart_backend_services', 'bearer', 'none'] as const;
const MATCHINGS = ['identifier', 'identifier_then_demographics', 'demographics', 'id'] as const;

interface SourceFormProps {
  submit: string;
  /** What is changed; absent: a new one. */
  source?: Source;
  /** Asks for the source as it is now: a colleague may have changed it. */
  load?: () => Promise<Source>;
  /** Of what is changed only what differs; without `authentication` where the token stays as it is. */
  onSend: (input: Partial<SourceInput>) => Promise<void>;
}

/** What a server is, how this service signs in there, and how patients are found. */
export function SourceForm({ submit, ...props }: SourceFormProps) {
  const { form: words } = useSourceWords();
  const { form, field, choices, choose } = useSourceForm(props);
  const { source } = props;
  return (
    <Form {...form} submit={submit}>
      <Field {...field('name')} label={words.name} hint={words.nameHint} />
      {source === undefined && <Field {...field('baseUrl')} label={words.address} hint={words.addressHint} />}
      <SignInFields choices={choices} choose={choose} field={field} isChange={source !== undefined} />
      <MatchingFields choices={choices} choose={choose} field={field} />
      <ProjectPicker
        label={words.projects}
        value={choices.projectIds}
        onChange={(projectIds) => choose({ projectIds })}
      />
      <Checkbox
        label={words.servesTestPatients}
        hint={words.servesTestPatientsHint}
        checked={choices.servesTestPatients}
        onChange={(servesTestPatients) => choose({ servesTestPatients })}
      />
    </Form>
  );
}

/** The state of the form; after a change was sent it holds what is stored, whoever changes that. */
function useSourceForm({ source, load, onSend }: Omit<SourceFormProps, 'submit'>) {
  const { form: words } = useSourceWords();
  const [chosen, setChosen] = useState<Partial<Choices>>({});
  const choices = { ...readChoices(source), ...chosen };
  const choose = (changed: Partial<Choices>) => setChosen((before) => ({ ...before, ...changed }));
  const {
    form,
    field: getField,
    reset,
  } = useForm({
    validators: useValidators(choices, source),
    initial: readTexts(source),
    errors: {
      name_taken: { field: 'name', text: words.nameTaken },
      too_many_sources: { text: words.tooMany },
    },
    async send(texts) {
      const input = buildInput(texts, choices);
      if (source === undefined || load === undefined) return onSend(input);
      const before = readInput(source);
      const change = pickChanged(before, input);
      requireUnchanged(change, { before, now: readInput(await load()) });
      await onSend(change);
      reset();
      setChosen({});
    },
  });
  const field = (name: Name) => ({
    ...getField(name),
    maxLength: LIMITS[name],
    autoComplete: 'off' as const,
  });
  return { form, field, choices, choose };
}

/** A token must not be cut: the service says where one is too long. */
const LIMITS: Readonly<Record<Name, number | null>> = {
  name: MAX_PLAIN_NAME_LENGTH,
  baseUrl: SOURCE_LIMITS.url,
  tokenEndpoint: SOURCE_LIMITS.url,
  clientId: SOURCE_LIMITS.clientId,
  scope: SOURCE_LIMITS.scope,
  system: SOURCE_LIMITS.system,
  secret: null,
};
/** Of fields that are not shown nothing is asked. */
function useValidators(choices: Choices, source: Source | undefined): Record<Name, Validator> {
  const { form: words } = useSourceWords();
  const isSmart = choices.signIn === 'smart_backend_services';
  const isKept = source?.authentication.type === 'bearer';
  const check =
    (pattern: RegExp, text: string): Validator =>
    (value) =>
      pattern.test(value.trim()) ? null : text;
  return {
    name: requireText(words.nameMissing),
    baseUrl: source === undefined ? check(/^https:\/\/[^\s?#@]+$/, words.addressMissing) : skipValidation,
    clientId: isSmart ? check(/^[\x21-\x7e]+$/, words.clientIdWrong) : skipValidation,
    tokenEndpoint: isSmart ? check(/^(?:https:\/\/[^\s?#@]+)?$/, words.tokenEndpointWrong) : skipValidation,
    scope: skipValidation,
    secret:
      choices.signIn === 'bearer'
        ? check(isKept ? /^[\x21-\x7e]*$/ : /^[\x21-\x7e]+$/, words.secretWrong)
        : skipValidation,
    system: needsSystem(choices.by) ? check(/^[\x21-\x7e]+$/, words.systemWrong) : skipValidation,
  };
}

type FieldOf = (name: Name) => {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  maxLength: number | null;
  autoComplete: 'off';
};

interface PartProps {
  choices: Choices;
  choose: (changed: Partial<Choices>) => void;
  field: FieldOf;
}

function SignInFields({ choices, choose, field, isChange }: PartProps & { isChange: boolean }) {
  const { form: words, signIn } = useSourceWords();
  return (
    <RadioGroup
      name="sign-in"
      legend={words.signIn}
      value={choices.signIn}
      options={SIGN_INS.map((value) => ({ value, label: signIn[value], hint: words.signInHints[value] }))}
      onChange={(value) => choose({ signIn: value })}
    >
      {choices.signIn === 'smart_backend_services' && (
        <div className="stack indented">
          <Field {...field('clientId')} label={words.clientId} hint={words.clientIdHint} />
          <Field {...field('tokenEndpoint')} label={words.tokenEndpoint} hint={words.tokenEndpointHint} />
          <Field {...field('scope')} label={words.scope} hint={words.scopeHint} />
        </div>
      )}
      {choices.signIn === 'bearer' && (
        <div className="indented">
          <Field
            {...field('secret')}
            label={words.secret}
            hint={isChange ? words.secretKept : undefined}
            type="password"
          />
        </div>
      )}
    </RadioGroup>
  );
}

function MatchingFields({ choices, choose, field }: PartProps) {
  const { form: words, matching } = useSourceWords();
  const { by } = choices;
  return (
    <RadioGroup
      name="matching"
      legend={words.matching}
      value={by}
      options={MATCHINGS.map((value) => ({
        value,
        label: matching[value],
        hint: words.matchingHints[value],
      }))}
      onChange={(value) => choose({ by: value })}
    >
      {by !== 'id' && (
        <div className="stack indented">
          {needsSystem(by) && <Field {...field('system')} label={words.system} hint={words.systemHint} />}
          {by !== 'identifier' && (
            <Checkbox
              label={words.requireEmail}
              hint={words.requireEmailHint}
              checked={choices.requireEmail}
              onChange={(requireEmail) => choose({ requireEmail })}
            />
          )}
        </div>
      )}
    </RadioGroup>
  );
}
