import { findMailOrigin } from '../../identity/patients/only-organization.ts';
import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { formatMoment } from '../../platform/mail/format-moment.ts';
import { MAIL_RETRIES, type SendMail } from '../../platform/mail/mail.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import { signReference, type ReceiptDeps } from './receipt.ts';
import { selectMailRecipient } from './receipt.sql.ts';

/** A decision whose receipt the person gets by mail. */
export interface DecisionNotice {
  patientId: PatientId;
  consentRecordId: ConsentRecordId;
  decidedAt: Date;
  /** Of the page it was made on; null: the one that mails to this person are in. */
  language: string | null;
}

interface Payload extends Pick<DecisionNotice, 'patientId' | 'consentRecordId'> {
  decidedAt: string;
  language: string | null;
}

const RECEIPT_MAIL_JOB = 'receipt-mail';

/**
 * Enqueues the mail about a decision, in its transaction. The attachment is signed when the mail is sent: a transaction may
 * use no other connection, and the signing keys are reloaded every minute.
 */
export const enqueueReceiptMail = (
  tx: Tx,
  jobs: Jobs,
  { patientId, consentRecordId, decidedAt, language }: DecisionNotice,
): Promise<void> =>
  jobs.enqueue<Payload>(tx, {
    kind: RECEIPT_MAIL_JOB,
    uniqueKey: consentRecordId,
    payload: { patientId, consentRecordId, decidedAt: decidedAt.toISOString(), language },
  });

interface Deps extends ReceiptDeps {
  send: SendMail;
}

/** Creates the job that mails that there was a decision and where its receipt is. The mail never says what it was about. */
export const createReceiptMailJob = ({ send, ...deps }: Deps): JobKind<Payload> => ({
  kind: RECEIPT_MAIL_JOB,
  ...MAIL_RETRIES,
  async run({ patientId, consentRecordId, decidedAt, language: pageLanguage }) {
    const to = await maybeOne(deps.db, selectMailRecipient(patientId));
    const reference = to && (await signReference(deps, { patientId, consentRecordId }));
    // Test patients have no mailbox; a deleted account has no address.
    if (!to || reference === null) return;
    const language = (pageLanguage ?? to.language)?.toLowerCase().startsWith('es') === true ? 'es' : 'en';
    const words = language === 'es' ? SPANISH : ENGLISH;
    const { from, timeZone } = await findMailOrigin(deps.db, patientId);
    await send({
      to: to.email,
      about: { mail: 'receipt', consentRecordId },
      ...from,
      subject: words.subject,
      text: words.text
        .replace('{moment}', () => formatMoment(new Date(decidedAt), { language, timeZone }))
        .replace('{page}', () => `${deps.consentAppUrl}/#/my-data/receipts/${consentRecordId}`)
        .replace('{reference}', () => consentRecordId),
      attachments: [{ filename: 'consent-receipt.jws', content: reference, contentType: 'application/jose' }],
    });
  },
});

const ENGLISH = {
  subject: 'Your decision and its receipt',
  text: `Hello,

You made a decision about your data on {moment}.

Your receipt, to read, print or keep, is on your page. There you can also change your mind at any time:

{page}

Reference: {reference}

The attached file proves that this decision was recorded. It says nothing of what you decided about.

If this was not you, sign in on that page and change your password.
`,
};

const SPANISH = {
  subject: 'Su decisión y su recibo',
  text: `Hola:

Tomó una decisión sobre sus datos el {moment}.

Su recibo, para leerlo, imprimirlo o guardarlo, está en su página. Allí también puede cambiar de opinión en cualquier momento:

{page}

Referencia: {reference}

El archivo adjunto prueba que esta decisión quedó registrada. No dice nada de aquello sobre lo que decidió.

Si no fue usted, inicie sesión en esa página y cambie su contraseña.
`,
};
