import type { ApiKey, revokeApiKey } from '../../../../contract/organization/api-keys.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useApiKeyWords } from './use-api-key-words.ts';

/** Ends a key; its name is typed first, since programs stop with it. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const words = useApiKeyWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const revoke = async () => {
    await call<typeof revokeApiKey>('DELETE /v1/organizations/{orgId}/api-keys/{apiKeyId}', {
      params: { apiKeyId: apiKey.id },
    });
    await refresh('GET /v1/organizations/{orgId}/api-keys');
    toast(words.revoked(apiKey.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.revokeTitle(apiKey.name)}
      confirm={words.revoke}
      danger
      typed={apiKey.name}
      texts={{ last_admin_key: words.errors.lastAdmin, forbidden: words.errors.permission }}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{words.revokeText}</p>
    </ConfirmDialog>
  );
}
