import type { ApiKey, endFormerKeySecrets } from '../../../../contract/organization/api-keys.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useApiKeyWords } from './use-api-key-words.ts';

/** Ends the secret from before a rotation before its time. */
export function EndFormerDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const words = useApiKeyWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  return (
    <ConfirmDialog
      title={words.endFormerTitle(apiKey.name)}
      confirm={words.endFormer}
      danger
      texts={{ forbidden: words.errors.permission }}
      onClose={onClose}
      onConfirm={async () => {
        await call<typeof endFormerKeySecrets>(
          'POST /v1/organizations/{orgId}/api-keys/{apiKeyId}/end-former-secrets',
          { params: { apiKeyId: apiKey.id } },
        );
        await refresh('GET /v1/organizations/{orgId}/api-keys');
        toast(words.formerEnded);
        onClose();
      }}
    >
      <p>{words.endFormerText}</p>
    </ConfirmDialog>
  );
}
