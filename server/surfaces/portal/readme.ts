/** Explains the archive to a person who opens it years later. */
export const README = `Your data
=========

This archive holds everything that is kept about you here. It is yours: keep it in a safe place, since it holds
health data.

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


Sus datos
=========

Este archivo contiene todo lo que se guarda aquí sobre usted. Es suyo: guárdelo en un lugar seguro, porque contiene
datos de salud.

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
`;
