import type { UploadBatch } from '../../../contract/account/uploads.ts';

/** Explains the archive to a person who opens it years later; names the uploads that are not in it yet. */
export const buildReadme = (uploads: readonly UploadBatch[]): string => `Your data
=========

This archive holds what is kept about you here, but for what is named at the end. It is yours: keep it in a safe place,
since it holds health data.

profile.json   Who you are here: your account, what each organization wrote down of you when it added you to a
               project, what you share and with which apps, the mails you want and got, your passkeys, where and when
               you signed in, your uploads with what could not be read, and the servers your records come from.
record/        Your health record in the format HL7 FHIR R4. One file for each kind of entry, one entry on each line
               (NDJSON). Apps for health records can read it. What you added as FHIR files is here, entry by entry.
documents/     The other documents that you added (PDFs, letters, pictures, C-CDA), byte for byte as they came, in a
               folder for each upload.
consents/      Each decision you made about sharing your record:
               <number>.json                what you decided, and when
               <number>/receipt.jws         the signed receipt. It proves what you agreed to
               <number>/screen-1.png, ...   pictures of the pages that you saw when you decided
access-log.ndjson
               Who did what with your record, and when: one event on each line.

Not in here: your password, and the secrets of your passkeys and sessions, of which only fingerprints are kept; what is
worked out from record/ so that it can be searched; and what you have chosen on a page without deciding yet.
${listWaiting(uploads, ENGLISH)}

Sus datos
=========

Este archivo contiene lo que se guarda aquí sobre usted, salvo lo que se nombra al final. Es suyo: guárdelo en un lugar
seguro, porque contiene datos de salud.

profile.json   Quién es usted aquí: su cuenta, lo que cada organización anotó de usted al añadirle a un proyecto, qué
               comparte y con qué aplicaciones, los correos que quiere y recibió, sus llaves de acceso, dónde y cuándo
               inició sesión, sus envíos con lo que no se pudo leer, y los servidores de los que vienen sus datos.
record/        Su historial médico en el formato HL7 FHIR R4. Un archivo por cada tipo de dato, un dato en cada línea
               (NDJSON). Las aplicaciones de salud pueden leerlo. Lo que añadió como archivos FHIR está aquí, dato por
               dato.
documents/     Los demás documentos que usted añadió (PDF, cartas, imágenes, C-CDA), byte por byte tal como llegaron,
               en una carpeta por cada envío.
consents/      Cada decisión que tomó sobre compartir su historial:
               <número>.json                qué decidió y cuándo
               <número>/receipt.jws         el recibo firmado. Demuestra lo que usted aceptó
               <número>/screen-1.png, ...   imágenes de las páginas que vio al decidir
access-log.ndjson
               Quién hizo qué con su historial y cuándo: un suceso en cada línea.

No está aquí: su contraseña y los secretos de sus llaves de acceso y sesiones, de los que solo se guardan huellas; lo que
se calcula a partir de record/ para poder buscar en él; y lo que ha elegido en una página sin decidirlo todavía.
${listWaiting(uploads, SPANISH)}`;

interface WaitingWords {
  lead: string;
  asked: string;
  unread: string;
  more: (count: number) => string;
}

const ENGLISH: WaitingWords = {
  lead: 'Not in here yet, though kept: these uploads. Download your data again when they are in your record.',
  asked: 'waits for your answer (“Is this you?”)',
  unread: 'is still being read',
  more: (count) => `and ${count} more`,
};

const SPANISH: WaitingWords = {
  lead: 'Todavía no están aquí, aunque se guardan: estos envíos. Descargue sus datos otra vez cuando estén en su historial.',
  asked: 'espera su respuesta («¿Es usted?»)',
  unread: 'se está leyendo todavía',
  more: (count) => `y ${count} más`,
};

/** Lists the uploads that are kept and not in the record: they wait for an answer, or for their turn. */
function listWaiting(uploads: readonly UploadBatch[], words: WaitingWords): string {
  const lines = uploads.flatMap((upload) => {
    const state = getWaitingState(upload);
    return state === null ? [] : [`- ${words[state]}: ${listFiles(upload, words)}`];
  });
  return lines.length === 0 ? '' : `\n${words.lead}\n${lines.join('\n')}\n`;
}

const getWaitingState = ({ status }: UploadBatch): 'asked' | 'unread' | null => {
  if (status === 'needs_confirmation') return 'asked';
  return status === 'queued' || status === 'processing' ? 'unread' : null;
};

function listFiles({ receivedAt, paths, documents }: UploadBatch, { more }: WaitingWords): string {
  const names = paths.map((path) => path.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_'));
  const rest = documents.total - paths.length;
  return [receivedAt.slice(0, 10), ...names, ...(rest > 0 ? [more(rest)] : [])].join(', ');
}
