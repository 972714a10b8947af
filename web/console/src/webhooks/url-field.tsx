import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { checkWebhookUrl } from '../../../../contract/webhooks/webhook-stats.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { useConsole } from '../api/use-console.ts';
import { useWebhookWords } from './use-webhook-words.ts';

type Check = z.infer<(typeof checkWebhookUrl)['response']>;

interface UrlFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

const PAUSE_MS = 700;

/** The address, which is checked when somebody pauses: whether it could be delivered to, as far as its name shows it. */
export function UrlField({ name, value, error, onChange }: UrlFieldProps) {
  const { form: words, delivery } = useWebhookWords();
  const check = useUrlCheck(value.trim());
  const fault = check?.fault ? delivery.faults[check.fault] : null;
  return (
    <div>
      <Field
        {...{ name, value, error, onChange }}
        label={words.url}
        hint={words.urlHint}
        autoComplete="url"
        maxLength={MAX_WEBHOOK_URL_LENGTH}
      />
      <p role="status" className="small soft">
        {fault ? `${fault.what} ${fault.fix}` : check?.ok ? words.urlGood : ''}
      </p>
    </div>
  );
}

/** Checks are limited, so one that failed says nothing; the service checks the address again when it is sent. */
function useUrlCheck(url: string): Check | null {
  const { call } = useConsole();
  const [known, setKnown] = useState<{ url: string; check: Check } | null>(null);
  useEffect(() => {
    if (!/^\w+:\/\/[^/]*\.[^/]+|^\w+:\/\/[^/]+\/./.test(url)) return;
    const timer = setTimeout(() => {
      void call<typeof checkWebhookUrl>('POST /v1/organizations/{orgId}/webhooks/check-url', {
        body: { url },
      })
        .then((check) => setKnown({ url, check }))
        .catch(() => undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [url, call]);
  return known?.url === url ? known.check : null;
}
