import type { z } from 'zod';
import type { Session } from '../../contract/account/account.ts';
import { createCompleter } from '../kit/http/complete-answer.ts';
import { type Call, createCall } from '../kit/http/call.ts';
import { stayOnOwnOrigin } from '../kit/http/own-origin.ts';
import { send } from '../kit/http/send.ts';

/** Returns the `call` of an app of the patient, whose CSRF token comes with the patient's session. */
export const createPatientCall = (baseUrl: string): Call =>
  createCall(
    baseUrl,
    async () => {
      const session = (await send(`${baseUrl}/account/session`, { method: 'GET' })) as z.infer<
        typeof Session
      >;
      return (await stayOnOwnOrigin(session)).csrfToken;
    },
    { complete: createCompleter(async () => import('virtual:answer-shapes')) },
  );
