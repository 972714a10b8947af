import { useState } from 'react';
import type { ApiKey, rotateApiKey } from '../../../../contract/organization/api-keys.ts';
import { Form } from '../../../kit/form.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { useForm } from '../kit/use-form.ts';
import { buildKeyItems } from './build-key-items.ts';
import { useApiKeyWords } from './use-api-key-words.ts';

const GRACE_SECONDS = { now: 0, hour: 3600, day: 86_400, week: 7 * 86_400 } as const;
type Grace = keyof typeof GRACE_SECONDS;

interface Rotated {
  apiSecret: string;
  previousExpiresAt: string;
}

/** Makes a new secret; the present one ends after a grace, or at once. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const words = useApiKeyWords();
  const { baseUrl } = useConsole();
  const [rotated, setRotated] = useState<Rotated | null>(null);
  if (rotated === null) return <RotateForm {...{ apiKey, onClose }} onRotated={setRotated} />;
  const { apiSecret, previousExpiresAt } = rotated;
  return (
    <SecretDialog
      title={words.rotated(apiKey.name)}
      items={buildKeyItems({ apiKey: apiKey.apiKey, apiSecret }, { baseUrl, words })}
      onDone={onClose}
    >
      <p>
        {words.previousEnds} <ExactTime time={previousExpiresAt} />
      </p>
    </SecretDialog>
  );
}

interface RotateFormProps {
  apiKey: ApiKey;
  onRotated: (rotated: Rotated) => void;
  onClose: () => void;
}

function RotateForm({ apiKey, onRotated, onClose }: RotateFormProps) {
  const words = useApiKeyWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  // Two secrets are accepted at most: a third ends both.
  const isOver = apiKey.secrets.length < 2;
  const graces = (Object.keys(GRACE_SECONDS) as Grace[]).filter((each) => isOver || each === 'now');
  const [grace, setGrace] = useState<Grace>(isOver ? 'day' : 'now');
  const { form } = useForm({
    validators: {},
    async send() {
      const answer = await call<typeof rotateApiKey>(
        'POST /v1/organizations/{orgId}/api-keys/{apiKeyId}/rotate',
        { params: { apiKeyId: apiKey.id }, body: { graceSeconds: GRACE_SECONDS[grace] } },
      );
      await refresh('GET /v1/organizations/{orgId}/api-keys');
      onRotated(answer);
    },
    errors: {
      api_key_ended: { text: words.errors.ended },
      too_many_secrets: { text: words.errors.tooManySecrets },
      forbidden: { text: words.errors.permission },
    },
  });
  return (
    <Dialog title={words.rotateTitle(apiKey.name)} onClose={onClose}>
      <p>{isOver ? words.rotateText : words.rotateAgainText}</p>
      <Form {...form} submit={words.rotate}>
        <SelectField
          name="grace"
          label={words.grace}
          hint={isOver ? undefined : words.bothEnd}
          options={graces.map((value) => ({ value, label: words.graces[value] }))}
          value={grace}
          onChange={setGrace}
        />
      </Form>
    </Dialog>
  );
}
