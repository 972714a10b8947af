import { DocumentError } from '../converter.ts';
import { decodeText } from '../text/decode-text.ts';
import { findClosingTag } from './ccda-text.ts';
import { addPatient } from './header/patient.ts';
import { indexNarrative } from './narrative-index.ts';
import { parseCda } from './parse-cda.ts';
import { People } from './people.ts';
import { ResourceList, serializeItem } from './resource-list.ts';
import { findRootTag } from './xml-tags.ts';

const NO_DOCUMENT = '00000000-0000-8000-8000-000000000000';
const RECORD_TARGET = /<(?:[\w.-]{1,40}:)?recordTarget(?=[\s/>])/;

/**
 * Returns whose a C-CDA is, as the converter does, of its header alone: a tree of all of it would take as long as converting it.
 * Null where it does not say, or cannot be read.
 */
export function readCcdaPatient(bytes: Buffer): object | null {
  const header = sliceHeader(decodeText(bytes).text);
  if (header === null) return null;
  try {
    const root = parseCda(Buffer.from(header));
    const resources = new ResourceList(NO_DOCUMENT);
    const narrative = indexNarrative(root);
    addPatient(root, { resources, narrative, people: new People(resources, narrative) });
    const patient = resources.items.find(({ resource }) => resource.resourceType === 'Patient');
    return patient === undefined ? null : (JSON.parse(serializeItem(patient)) as object);
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

/** Cuts the recordTarget out, within the root, which declares its namespaces. */
function sliceHeader(xml: string): string | null {
  const root = findRootTag(xml);
  const start = RECORD_TARGET.exec(xml)?.index;
  if (root === null || start === undefined) return null;
  const end = xml.indexOf('>', findClosingTag(xml, 'recordTarget', start)) + 1;
  const target = xml.slice(start, end === 0 ? xml.length : end);
  const name = /^<([^\s/>]+)/.exec(root.text)?.[1] ?? '';
  return start === root.start ? target : `${root.text}${target}</${name}>`;
}
