import type { Delivery, DeliveryAttempt } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { placeAttempts, placeOnScale, SCALE_MARKS } from './attempt-scale.ts';
import { useWebhookWords } from './use-webhook-words.ts';
import './webhooks.css';

const MAX_ATTEMPTS = 8;

/** The attempts of a delivery on a logarithmic scale of 33 hours: made ones are filled, the next one is a ring, those after it are small. */
export function AttemptScale({
  delivery,
}: {
  delivery: Delivery & { attemptLog: readonly DeliveryAttempt[] };
}) {
  const { delivery: words } = useWebhookWords();
  const points = placeAttempts(delivery.attemptLog, delivery);
  const isOpen = delivery.nextAttemptAt !== null;
  const counts = [delivery.attempts, isOpen ? MAX_ATTEMPTS - delivery.attempts : 0].map(String);
  const [done = '', next = ''] = counts;
  const text =
    delivery.formerAttempts > 0
      ? words.scaleTextAgain(done, next, String(delivery.formerAttempts))
      : words.scaleText(done, next);
  const format = useMarkFormat();
  return (
    <figure className="scale-figure">
      <figcaption className="small soft">
        {words.scale}. {text}
      </figcaption>
      <svg className="scale" role="img" aria-label={`${words.scale}. ${text}`}>
        <svg x="4%" width="90%" height="100%" overflow="visible">
          <line className="scale-line" x1="0" x2="100%" y1="24" y2="24" />
          {SCALE_MARKS.map((seconds) => (
            <g key={seconds}>
              <line className="scale-line" x1={at(seconds)} x2={at(seconds)} y1="20" y2="28" />
              <text className="scale-text" x={at(seconds)} y="46" textAnchor="middle">
                {format(seconds)}
              </text>
            </g>
          ))}
          {points.map(({ kind, place }, index) => (
            // Two attempts may have one place.
            // oxlint-disable-next-line react/no-array-index-key
            <circle
              key={index}
              className={`scale-${kind}`}
              cx={`${place * 100}%`}
              cy="24"
              r={kind === 'coming' ? 3.5 : 7}
            />
          ))}
        </svg>
      </svg>
    </figure>
  );
}

const at = (seconds: number): string => `${placeOnScale(seconds) * 100}%`;

function useMarkFormat(): (seconds: number) => string {
  const { after } = useWebhookWords().delivery;
  return (seconds) => {
    if (seconds === 0) return after.now;
    if (seconds < 60) return after.seconds(String(seconds));
    return seconds < 3600 ? after.minutes(String(seconds / 60)) : after.hours(String(seconds / 3600));
  };
}
