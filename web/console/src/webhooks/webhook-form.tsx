import { useState } from 'react';
import type { z } from 'zod';
import type { listProjects } from '../../../../contract/organization/projects.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import type { createWebhook, Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { MAX_WEBHOOK_DESCRIPTION_LENGTH } from '../../../../contract/text-limits.ts';
import { Checkbox, RadioGroup } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { limitText } from '../../../kit/limit-text.ts';
import { Form } from '../../../kit/form.tsx';
import { useData } from '../api/use-data.ts';
import { skipValidation, useForm } from '../kit/use-form.ts';
import { EventTypes } from './event-types.tsx';
import { UrlField } from './url-field.tsx';
import { useWebhookWords } from './use-webhook-words.ts';

export type WebhookInput = z.input<(typeof createWebhook)['body']>;

interface WebhookFormProps {
  submit: string;
  /** What is changed; absent: a new one. */
  webhook?: Webhook;
  onSend: (input: WebhookInput) => Promise<void>;
}

/** The address, the events and the projects of a webhook. */
export function WebhookForm({ submit, ...props }: WebhookFormProps) {
  const { form: words } = useWebhookWords();
  const { form, field, types, projectIds, choose } = useWebhookForm(props);
  return (
    <Form {...form} submit={submit}>
      <UrlField {...field('url')} />
      <Field
        {...field('description')}
        {...limitText(MAX_WEBHOOK_DESCRIPTION_LENGTH)}
        label={words.description}
        hint={words.descriptionHint}
      />
      <EventTypes
        value={types}
        error={field('eventTypes').error}
        onChange={(value) => choose({ types: value })}
      />
      <ProjectScopeField
        value={projectIds}
        error={field('projects').error}
        onChange={(value) => choose({ projectIds: value })}
      />
      <Field {...field('maxPerSecond')} {...limitText(null)} label={words.rate} hint={words.rateHint} />
    </Form>
  );
}

/** The state of the form; after a change was sent it holds what is stored, whoever changes that. */
function useWebhookForm({ webhook, onSend }: Omit<WebhookFormProps, 'submit'>) {
  const { form: words } = useWebhookWords();
  const [chosen, setChosen] = useState<Partial<Choices>>({});
  const { types, projectIds } = { ...readChoices(webhook), ...chosen };
  const { form, field, reset } = useForm({
    validators: {
      url: (text) => (/^https:\/\/./.test(text.trim()) ? null : words.urlMissing),
      description: skipValidation,
      maxPerSecond: (text) => (/^([1-9]\d{0,2}|1000)?$/.test(text.trim()) ? null : words.rateWrong),
      eventTypes: () => (types.length === 0 ? words.typesMissing : null),
      projects: () => (projectIds?.length === 0 ? words.projectsMissing : null),
    },
    initial: {
      url: webhook?.url ?? 'https://',
      description: webhook?.description ?? '',
      maxPerSecond: String(webhook?.maxPerSecond ?? ''),
    },
    errors: { too_many_webhooks: { text: words.tooMany } },
    async send({ url, description, maxPerSecond }) {
      await onSend({
        url: url.trim(),
        description: description.trim(),
        eventTypes: [...types],
        maxPerSecond: maxPerSecond.trim() === '' ? null : Number(maxPerSecond),
        projectScope:
          projectIds === null ? { type: 'all' } : { type: 'projects', projectIds: [...projectIds] as never },
      });
      if (webhook === undefined) return;
      reset();
      setChosen({});
    },
  });
  const choose = (some: Partial<Choices>) => setChosen({ ...chosen, ...some });
  return { form, field, types, projectIds, choose };
}

interface Choices {
  types: readonly EventType[];
  /** null: all projects. */
  projectIds: readonly string[] | null;
}

const readChoices = (webhook: Webhook | undefined): Choices => ({
  // One of a later version is kept as it came.
  types: (webhook?.eventTypes as readonly EventType[] | undefined) ?? ['consent.withdrawn'],
  projectIds: getProjectIds(webhook),
});

const getProjectIds = (webhook: Webhook | undefined): readonly string[] | null =>
  webhook?.projectScope.type === 'projects' ? webhook.projectScope.projectIds : null;

interface ProjectScopeProps {
  /** null: all projects. */
  value: readonly string[] | null;
  error: string | undefined;
  onChange: (value: readonly string[] | null) => void;
}

function ProjectScopeField({ value, error, onChange }: ProjectScopeProps) {
  const { form: words } = useWebhookWords();
  const { data } = useData<typeof listProjects>('GET /v1/organizations/{orgId}/projects', {
    query: { limit: 1000 },
  });
  const toggle = (id: string, isChosen: boolean) =>
    onChange([...(value ?? []).filter((other) => other !== id), ...(isChosen ? [id] : [])]);
  return (
    <RadioGroup
      name="projects"
      legend={words.scope}
      value={value === null ? 'all' : 'some'}
      error={error}
      options={[
        { value: 'all', label: words.allProjects },
        { value: 'some', label: words.someProjects },
      ]}
      onChange={(scope) => onChange(scope === 'all' ? null : [])}
    >
      {value !== null &&
        (data?.results ?? []).map(({ id, name }) => (
          <Checkbox key={id} label={name} checked={value.includes(id)} onChange={(is) => toggle(id, is)} />
        ))}
    </RadioGroup>
  );
}
