import type { AttemptFault } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { showsHost } from '../../../../contract/https-address.ts';
import { withDeadline } from '../../../platform/kernel/with-deadline.ts';
import { parseTarget, type Guard } from '../../../platform/outbound/guard.ts';
import { OutboundFailedError, OutboundRefusedError } from '../../../platform/outbound/request.ts';

/** Name servers that take longer are as good as none for whoever waits in front of a form. */
const RESOLVE_TIMEOUT_MS = 5000;

/**
 * Returns why no delivery could be sent to an address now, or null: it is https, and every address of its name is
 * permitted. Nothing is connected to, so that nobody learns from it which ports are open where.
 */
export async function findUrlFault(
  { guard, allowPrivate }: { guard: Guard; allowPrivate: boolean },
  url: string,
): Promise<AttemptFault | null> {
  try {
    const target = parseTarget(url, allowPrivate);
    if (!showsHost(url)) throw new OutboundRefusedError('invalid_url');
    const resolved = guard(target);
    await withDeadline(RESOLVE_TIMEOUT_MS, resolved).catch((error: unknown) => {
      throw error instanceof OutboundRefusedError ? error : new OutboundFailedError('name_not_resolved');
    });
    return null;
  } catch (error) {
    if (error instanceof OutboundRefusedError || error instanceof OutboundFailedError)
      return error.reason as AttemptFault;
    throw error;
  }
}
