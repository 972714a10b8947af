import { Refusal } from '../../../kit/http/refusal.ts';

/**
 * Returns what a refusal means: where nothing but the organization is named, 404 is of the endpoint itself, which a node of the
 * version before does not have while nodes are upgraded one by one. Nothing was deleted.
 */
export const explainMissing = (error: unknown, params: object = {}): unknown =>
  error instanceof Refusal && error.status === 404 && Object.keys(params).length === 0
    ? new Refusal(503, 'older_node')
    : error;
