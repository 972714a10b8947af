import type { EventType, listWebhookEventTypes } from '../../../../contract/webhooks/webhook-events.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { useData } from '../api/use-data.ts';
import { Code } from '../kit/code.tsx';
import { useWebhookWords } from './use-webhook-words.ts';
import './webhooks.css';

interface EventTypesProps {
  value: readonly EventType[];
  error: string | undefined;
  onChange: (value: readonly EventType[]) => void;
}

/** The catalogue of events, each with a sample of what is sent. */
export function EventTypes({ value, error, onChange }: EventTypesProps) {
  const { form: words, types } = useWebhookWords();
  const { data } = useData<typeof listWebhookEventTypes>('GET /v1/webhook-event-types');
  const samples = new Map(data?.results.map(({ type, example }) => [type, example]));
  const toggle = (type: EventType, isChosen: boolean) =>
    onChange(isChosen ? [...value, type] : value.filter((other) => other !== type));
  return (
    <fieldset className="choices" id="eventTypes" tabIndex={-1}>
      <legend>{words.types}</legend>
      {error !== undefined && <p className="field-error">{error}</p>}
      <div className="webhook-types">
        {(Object.keys(types) as EventType[]).map((type) => (
          <div key={type} className="webhook-type">
            <Checkbox
              label={type}
              hint={types[type]}
              checked={value.includes(type)}
              onChange={(isChosen) => toggle(type, isChosen)}
            />
            {samples.has(type) && (
              <details>
                <summary className="small">{words.sampleOf(type)}</summary>
                <Code label={words.sampleOf(type)} text={JSON.stringify(samples.get(type), null, 2)} />
              </details>
            )}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
