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

const REPEATING = require('fhirpath/fhir-context/r4/path2Repeating.json') as Readonly<
  Record<string, boolean>
>;

/** Puts a value at the path of an element, each element on the way a list where FHIR R4 has one: a resource, else an element. */
export function buildAt(path: string, value: unknown): Record<string, unknown> {
  const [type = '', ...names] = path.split('.');
  const wrap = (index: number): unknown => {
    if (index === names.length) return value;
    const at = [type, ...names.slice(0, index + 1)].join('.');
    const inner = wrap(index + 1);
    return { [names[index] as string]: REPEATING[at] === true ? [inner] : inner };
  };
  return { resourceType: type, ...(wrap(0) as object) };
}
