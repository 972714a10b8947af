import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The elements of FHIR R4 by their paths, each with its type, derived from HL7's StructureDefinitions. */
type PathTypes = Readonly<Record<string, string | { code: string; refType?: readonly string[] }>>;
const PATH_TYPES = require('fhirpath/fhir-context/r4/path2Type.json') as PathTypes;

const entries = Object.entries(PATH_TYPES);

const getCode = (type: PathTypes[string]): string => (typeof type === 'string' ? type : type.code);

/** The paths of the elements of a type. */
export const listPaths = (type: string): string[] =>
  entries.flatMap(([path, found]) => (getCode(found) === type ? path : [])).sort();

/** What each element of type Reference may point to, in a line of words; "Resource" stands for anything. */
export const listReferenceTargets = (): Record<string, string> =>
  Object.fromEntries(
    entries
      .flatMap(([path, type]): [string, string][] =>
        getCode(type) === 'Reference'
          ? [[path, ((typeof type === 'string' ? null : type.refType) ?? ['Resource']).join(' ')]]
          : [],
      )
      .map(([path, targets]): [string, string] => [path, targets === '' ? 'Resource' : targets])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
