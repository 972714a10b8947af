import { useState } from 'react';
import type { replayDeliveries } from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';
import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Form } from '../../../kit/form.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { Table } from '../../../kit/table.tsx';
import { useConsole } from '../api/use-console.ts';
import { useData, useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { toTimeRange } from '../kit/time-range.ts';
import { States } from '../kit/states.tsx';
import { useToast } from '../kit/toasts.tsx';
import { skipValidation, useForm } from '../kit/use-form.ts';
import { useLanguage } from '../words/use-words.ts';
import { DayField } from './day-field.tsx';
import { useRefreshWebhook } from './use-refresh-webhook.ts';
import { REPLAYS_TARGET, Replays } from './replays.tsx';
import { countAll, getYesterday } from './stats.ts';
import { useWebhookWords } from './use-webhook-words.ts';

const WHICH = ['missed', 'exhausted', 'dropped', 'retrying', 'delivered'] as const;
type Which = (typeof WHICH)[number];

interface Range {
  since: string;
  until?: string | undefined;
  status: Exclude<Which, 'missed'> | undefined;
}

const buildRange = (which: Which, days: { since: string; until: string }, zone: string): Range => ({
  since: days.since,
  ...toTimeRange(days, { zone, now: Date.now() }),
  status: which === 'missed' ? undefined : which,
});

const TARGET = 'POST /v1/organizations/{orgId}/webhooks/{webhookId}/replay';

/** Sends again what did not arrive: chosen, counted, confirmed. */
export function Recover({ webhook }: { webhook: Webhook }) {
  const { recover: words } = useWebhookWords();
  const { call, organization } = useConsole();
  const zone = organization.timeZone;
  const [which, setWhich] = useState<Which>('missed');
  const [counted, setCounted] = useState<{ range: Range; count: number } | null>(null);
  const { form, field } = useForm({
    validators: {
      since: (text) => (text === '' ? words.sinceMissing : null),
      until: skipValidation,
    },
    initial: { since: getYesterday(zone) },
    errors: { invalid_input: { field: 'until', text: words.wrongOrder } },
    async send({ since, until }) {
      const range = buildRange(which, { since, until }, zone);
      const params = { webhookId: webhook.id };
      const { count } = await call<typeof replayDeliveries>(TARGET, {
        params,
        body: { ...range, dryRun: true },
      });
      setCounted({ range, count });
    },
  });
  return (
    <>
      <Section title={words.title}>
        <p>{words.lead}</p>
        <div className="form-narrow">
          <Form {...form} submit={words.count}>
            <DayField {...field('since')} label={words.since} />
            <DayField {...field('until')} label={words.until} />
            <SelectField
              name="which"
              label={words.which}
              value={which}
              options={WHICH.map((value) => ({ value, label: words.whichOptions[value] }))}
              onChange={setWhich}
            />
          </Form>
        </div>
        <div role="status">
          {counted && <Counted webhook={webhook} {...counted} onSent={() => setCounted(null)} />}
        </div>
      </Section>
      {counted && <Days webhookId={webhook.id} range={counted.range} />}
      <Replays webhook={webhook} />
    </>
  );
}

interface CountedProps {
  webhook: Webhook;
  range: Range;
  count: number;
  onSent: () => void;
}

function Counted({ webhook, range, count, onSent }: CountedProps) {
  const { recover: words, delivery } = useWebhookWords();
  const { language } = useLanguage();
  const { call } = useConsole();
  const refreshWebhook = useRefreshWebhook();
  const refresh = useRefresh();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const number = formatNumber(count, language);
  if (count === 0) {
    const { retrying } = webhook.deliveries;
    const isMissed = range.status === undefined && retrying > 0;
    return <p>{isMissed ? words.nothingButRetrying(formatNumber(retrying, language)) : words.nothing}</p>;
  }
  if (webhook.status !== 'active')
    return (
      <p>
        <strong>{words.counted(number)}</strong>{' '}
        <PageLink to={`/webhooks/${webhook.id}`} search={{ tab: 'settings' }}>
          {delivery.notActive}
        </PageLink>
      </p>
    );
  return (
    <div className="page-actions">
      <strong>{words.counted(number)}</strong>
      <Button variant="strong" onPress={() => setIsAsking(true)}>
        {words.send(number)}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={words.confirmTitle}
          confirm={words.send(number)}
          texts={{ webhook_not_active: delivery.notActive }}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            const params = { webhookId: webhook.id };
            const { count: sent } = await call<typeof replayDeliveries>(TARGET, { params, body: range });
            toast(words.sent(formatNumber(sent, language)));
            await Promise.all([refreshWebhook(), refresh(REPLAYS_TARGET)]);
            onSent();
          }}
        >
          <p>{words.confirmText(number)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** What of each day is not acknowledged. */
function Days({ webhookId, range }: { webhookId: string; range: Range }) {
  const { recover: words } = useWebhookWords();
  const { language } = useLanguage();
  const { since: from, until: to } = range;
  const query = useData<typeof getWebhookStats>('GET /v1/organizations/{orgId}/webhooks/{webhookId}/stats', {
    params: { webhookId },
    query: { from, ...(to !== undefined && { to }), bucket: 'day' },
  });
  return (
    <Section title={words.days}>
      <States query={query}>
        {({ deliveries }) => (
          <Table
            caption={words.days}
            columns={[
              { header: words.day, render: ({ at }) => at.slice(0, 10) },
              {
                header: words.notAcknowledged,
                numeric: true,
                render: (counts) => formatNumber(countAll(counts) - counts.delivered, language),
              },
              {
                header: words.all,
                numeric: true,
                render: (counts) => formatNumber(countAll(counts), language),
              },
            ]}
            rows={deliveries}
            getKey={({ at }) => at}
            empty={<p className="soft">{words.nothing}</p>}
          />
        )}
      </States>
    </Section>
  );
}
