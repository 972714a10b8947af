import { useState } from 'react';
import type { getOrganization, updateOrganization } from '../../../../contract/organization/organization.ts';
import {
  MAX_EMAIL_LENGTH,
  MAX_PHONE_LENGTH,
  MAX_PLAIN_NAME_LENGTH,
} from '../../../../contract/text-limits.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { useCurl } from '../kit/build-curl.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { Id } from '../kit/copy-button.tsx';
import { Page, Section } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { skipValidation, useForm } from '../kit/use-form.ts';
import { useWords } from '../words/use-words.ts';
import { BrandSection } from './brand-section.tsx';
import {
  buildChange,
  type Choices,
  type Fields as FieldValues,
  type Languages,
  type OrganizationData,
  readChoices,
  readValues,
  toAddresses,
  type Values,
} from './organization-change.ts';
import { useOrganizationWords } from './use-organization-words.ts';

/** How the organization presents itself to people. */
export function Organization() {
  const words = useOrganizationWords();
  const { common } = useWords();
  const buildCurl = useCurl();
  const mayWrite = usePermission('organization.write');
  const query = useData<typeof getOrganization>('GET /v1/organizations/{orgId}');
  return (
    <Page
      name="organization"
      title={words.title}
      lead={words.lead}
      actions={<AsCurl command={buildCurl<typeof getOrganization>('GET /v1/organizations/{orgId}')} />}
    >
      <States query={query}>
        {(organization) => (
          <div className="stack stack-wide">
            {!mayWrite && <Notice>{words.readOnly}</Notice>}
            <Settings organization={organization} mayWrite={mayWrite} />
            <BrandSection organization={organization} mayWrite={mayWrite} />
            <Section title={words.facts}>
              <dl className="facts">
                <dt>{words.name}</dt>
                <dd>{organization.name}</dd>
                {!mayWrite && (
                  <>
                    <dt>{words.timeZone}</dt>
                    <dd>{organization.timeZone}</dd>
                    <dt>{words.onlyVouchedApps}</dt>
                    <dd>{organization.onlyVouchedApps ? common.yes : common.no}</dd>
                    <dt>{words.noNewRegistrations}</dt>
                    <dd>{organization.noNewRegistrations ? common.yes : common.no}</dd>
                  </>
                )}
                <dt>{words.id}</dt>
                <dd>
                  <Id id={organization.id} subject={words.id} />
                </dd>
              </dl>
            </Section>
          </div>
        )}
      </States>
    </Page>
  );
}

const EMAIL = /^[^\s,]+@[^\s,]+\.[^\s,]+$/;

interface SettingsProps {
  organization: OrganizationData;
  mayWrite: boolean;
}

function Settings({ organization, mayWrite }: SettingsProps) {
  const words = useOrganizationWords();
  const { common } = useWords();
  const save = useSave(organization);
  const [chosen, setChosen] = useState<Partial<Choices>>({});
  const choices = { ...readChoices(organization), ...chosen };
  const { form, field, reset } = useForm({
    validators: {
      displayName: skipValidation,
      publicName: skipValidation,
      'contact.name': skipValidation,
      'contact.email': (value) => (value === '' || EMAIL.test(value) ? null : words.contactWrong),
      'contact.phone': skipValidation,
      faultAddresses: (value) =>
        toAddresses(value).every((address) => EMAIL.test(address)) ? null : words.addressesWrong,
    },
    initial: readValues(organization),
    async send(values) {
      await save({ ...values, ...choices });
      reset();
      setChosen({});
    },
  });
  const fields = <Fields {...{ field, mayWrite }} name={organization.name} />;
  if (!mayWrite) return <div className="card card-narrow">{fields}</div>;
  return (
    <div className="card card-narrow">
      <Form {...form} submit={common.save}>
        {fields}
        <ChoiceFields choices={choices} onChange={(some) => setChosen({ ...chosen, ...some })} />
      </Form>
    </div>
  );
}

interface ChoiceFieldsProps {
  choices: Choices;
  onChange: (some: Partial<Choices>) => void;
}

function ChoiceFields({ choices, onChange }: ChoiceFieldsProps) {
  const words = useOrganizationWords();
  return (
    <>
      <SelectField
        name="languages"
        label={words.languages}
        options={(Object.keys(words.languageChoices) as Languages[]).map((value) => ({
          value,
          label: words.languageChoices[value],
        }))}
        value={choices.languages}
        onChange={(languages) => onChange({ languages })}
      />
      <SelectField
        name="timeZone"
        label={words.timeZone}
        hint={words.timeZoneHint}
        options={listZones(choices.timeZone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        value={choices.timeZone}
        onChange={(timeZone) => onChange({ timeZone })}
      />
      <Checkbox
        label={words.onlyVouchedApps}
        hint={words.onlyVouchedAppsHint}
        checked={choices.onlyVouchedApps}
        onChange={(onlyVouchedApps) => onChange({ onlyVouchedApps })}
      />
      <Checkbox
        label={words.noNewRegistrations}
        hint={words.noNewRegistrationsHint}
        checked={choices.noNewRegistrations}
        onChange={(noNewRegistrations) => onChange({ noNewRegistrations })}
      />
    </>
  );
}

/** The zones that the browser knows, and the one that is set. */
const listZones = (set: string): string[] => [
  ...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone')]),
];

interface FieldsProps {
  field: (name: keyof Values) => Pick<Parameters<typeof Field>[0], 'name' | 'value' | 'error' | 'onChange'>;
  mayWrite: boolean;
  /** What stands where no other name is given. */
  name: string;
}

function Fields({ field, mayWrite, name }: FieldsProps) {
  const words = useOrganizationWords();
  const shared = { readOnly: !mayWrite, autoComplete: 'off' } as const;
  return (
    <>
      <Field
        {...field('displayName')}
        {...shared}
        label={words.displayName}
        hint={words.displayNameHint(name)}
        maxLength={MAX_PLAIN_NAME_LENGTH}
      />
      <Field
        {...field('publicName')}
        {...shared}
        label={words.publicName}
        hint={words.publicNameHint}
        maxLength={MAX_PLAIN_NAME_LENGTH}
      />
      <Field
        {...field('contact.name')}
        {...shared}
        label={words.contactName}
        maxLength={MAX_PLAIN_NAME_LENGTH}
      />
      <Field
        {...field('contact.email')}
        {...shared}
        label={words.contactEmail}
        type="email"
        maxLength={MAX_EMAIL_LENGTH}
      />
      <Field
        {...field('contact.phone')}
        {...shared}
        label={words.contactPhone}
        maxLength={MAX_PHONE_LENGTH}
      />
      <Field
        {...field('faultAddresses')}
        {...shared}
        label={words.faultAddresses}
        hint={words.faultAddressesHint}
        maxLength={null}
      />
    </>
  );
}

/** Returns the function that sends what was changed of what the form was filled with. */
function useSave(before: OrganizationData) {
  const words = useOrganizationWords();
  const { call, reloadSession } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  return async (written: FieldValues) => {
    const now = await call<typeof getOrganization>('GET /v1/organizations/{orgId}');
    const change = buildChange(written, { before, now });
    if (Object.keys(change).length > 0)
      await call<typeof updateOrganization>('PATCH /v1/organizations/{orgId}', { body: change });
    await Promise.all([refresh('GET /v1/organizations/{orgId}'), reloadSession()]);
    toast(words.saved);
  };
}
