import { formatConcept, parseCodings } from '../codeable-concept.ts';
import { readText, toElement } from '../element.ts';

/** DICOM's acquisition modalities (PS3.16, CID 29) in the words of people: the first part of each is what one asks for ("knee X-ray"). */
const NAMES: ReadonlyMap<string, string> = new Map(
  `BMD Bone densitometry; CR X-ray (computed radiography); CT CT (computed tomography); DX X-ray (digital radiography); ECG Electrocardiography;
  ES Endoscopy; IO Dental X-ray; IVUS Intravascular ultrasound; MG Mammography; MR MRI (magnetic resonance imaging); NM Nuclear medicine;
  OP Ophthalmic photography; OPT Optical coherence tomography; PT PET (positron emission tomography); PX Panoramic dental X-ray;
  RF Fluoroscopy; RG X-ray (radiography); SM Slide microscopy; US Ultrasound; XA X-ray angiography; XC Photography`
    .split(/;\s+/)
    .map((each) => [each.slice(0, each.indexOf(' ')), each.slice(each.indexOf(' ') + 1)]),
);

/** Formats a modality: in the words of the sender, else by the name of its code, whatever its system. */
export function formatModality(value: unknown): string | null {
  const codings = parseCodings(value);
  const words = [
    readText(toElement(value)?.['text']) ?? readText(value),
    ...codings.map(({ display }) => display),
  ];
  const written = words.find(
    (each) => typeof each === 'string' && !codings.some(({ code }) => code === each) && !NAMES.has(each),
  );
  const codes = [...codings.map(({ code }) => code), ...words];
  return written ?? codes.flatMap((code) => NAMES.get(code ?? '') ?? [])[0] ?? formatConcept(value);
}
