import { useState } from 'react';
import type { ApiKeyRole, createApiKey } from '../../../../contract/organization/api-keys.ts';
import { mayIssueKey } from '../../../../contract/roles.ts';
import { MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { limitText } from '../../../kit/limit-text.ts';
import { Form } from '../../../kit/form.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { ProjectPicker } from '../kit/project-picker.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { buildKeyItems } from './build-key-items.ts';
import { useApiKeyWords } from './use-api-key-words.ts';

interface Created {
  name: string;
  apiKey: string;
  apiSecret: string;
}

const ROLES: readonly ApiKeyRole[] = ['researcher', 'developer', 'admin'];

const DAYS = { days30: 30, days90: 90, days365: 365, never: null } as const;
type Expiry = keyof typeof DAYS;

/** Creates a key, and shows its secret once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const words = useApiKeyWords();
  const { baseUrl } = useConsole();
  const [created, setCreated] = useState<Created | null>(null);
  if (created === null) return <CreateForm onCreated={setCreated} onClose={onClose} />;
  return (
    <SecretDialog
      title={words.secretTitle(created.name)}
      items={buildKeyItems(created, { baseUrl, words })}
      onDone={onClose}
    />
  );
}

function CreateForm({ onCreated, onClose }: { onCreated: (created: Created) => void; onClose: () => void }) {
  const words = useApiKeyWords();
  const { call, member } = useConsole();
  const refresh = useRefresh();
  const roles = ROLES.filter((each) => mayIssueKey(member.role, each));
  const [role, setRole] = useState<ApiKeyRole>(roles[0] ?? 'developer');
  const [projectIds, setProjectIds] = useState<readonly string[] | null>(null);
  const [expiry, setExpiry] = useState<Expiry>('days365');
  const { form, field } = useForm({
    validators: { name: requireText(words.nameMissing) },
    async send({ name }) {
      const days = DAYS[expiry];
      const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();
      const limits = role === 'researcher' && projectIds !== null ? [...projectIds] : null;
      const body = { name: name.trim(), role, expiresAt, projectIds: limits };
      const key = await call<typeof createApiKey>('POST /v1/organizations/{orgId}/api-keys', { body });
      await refresh('GET /v1/organizations/{orgId}/api-keys');
      onCreated(key);
    },
    errors: {
      too_many_api_keys: { text: words.errors.tooMany },
      forbidden: { text: words.errors.permission },
    },
  });
  const nameField = { ...field('name'), ...limitText(MAX_PLAIN_NAME_LENGTH) };
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form {...form} submit={words.create}>
        <Field {...nameField} label={words.name} hint={words.nameHint} />
        <SelectField
          name="role"
          label={words.role}
          options={roles.map((value) => ({ value, label: words.roles[value] }))}
          value={role}
          onChange={setRole}
        />
        {role === 'researcher' && (
          <ProjectPicker label={words.projects} value={projectIds} onChange={setProjectIds} />
        )}
        <SelectField
          name="expiry"
          label={words.expiry}
          options={(Object.keys(DAYS) as Expiry[]).map((value) => ({ value, label: words.expiries[value] }))}
          value={expiry}
          onChange={setExpiry}
        />
      </Form>
    </Dialog>
  );
}
