/** Explains the archive to a person who opens it years later. */
export const README = `Your data
=========

This archive holds everything that is kept about you here. It is yours: keep it in a safe place, since it holds
health data.

record/        Your health record in the format HL7 FHIR R4. One file for each kind of entry, one entry on each line
               (NDJSON). Apps for health records can read it.
documents/     The original documents that you added, byte for byte as they came, in a folder for each upload.
consents/      Each decision you made about sharing your record:
               <number>.json                what you decided, and when
               <number>/receipt.jws         the signed receipt. It proves what you agreed to
               <number>/screen-1.png, ...   pictures of the pages that you saw when you decided
access-log.ndjson
               Who did what with your record, and when: one event on each line.


Sus datos
=========

Este archivo contiene todo lo que se guarda aquí sobre usted. Es suyo: guárdelo en un lugar seguro, porque contiene
datos de salud.

record/        Su historia clínica en el formato HL7 FHIR R4. Un archivo por cada tipo de dato, un dato en cada línea
               (NDJSON). Las aplicaciones de salud pueden leerlo.
documents/     Los documentos originales que usted agregó, byte por byte tal como llegaron, en una carpeta por cada
               envío.
consents/      Cada decisión que tomó sobre compartir su historia:
               <número>.json                qué decidió y cuándo
               <número>/receipt.jws         el recibo firmado. Demuestra lo que usted aceptó
               <número>/screen-1.png, ...   imágenes de las páginas que vio al decidir
access-log.ndjson
               Quién hizo qué con su historia y cuándo: un suceso en cada línea.
`;
