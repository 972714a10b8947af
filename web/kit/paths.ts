type ParameterName<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never;

type Parameters<Pattern extends string> = Record<ParameterName<Pattern>, string>;

export interface HashPath<Pattern extends string> {
  /** The fragment that leads here: `#/request/abc`. */
  build(params: Parameters<Pattern>): string;
  /** The parameters of a fragment that leads here, or null. A query and a slash at the end make no difference. */
  match(fragment: string): Parameters<Pattern> | null;
}

/** A route of the fragment, such as `/request/{requestId}`; each parameter is one segment that is not empty. */
export function definePath<const Pattern extends string>(pattern: Pattern): HashPath<Pattern> {
  const segments = pattern.split('/');
  return {
    build: (params) =>
      `#${segments.map((segment) => encodeSegment(segment, params as Record<string, string>)).join('/')}`,
    match(fragment) {
      const [path = ''] = fragment.replace(/^#/, '').split('?', 1);
      const given = path.replace(/\/$/, '').split('/');
      if (given.length !== segments.length) return null;
      const params: Record<string, string> = {};
      for (const [index, segment] of segments.entries()) {
        const name = readName(segment);
        const value = decodeSegment(given[index] ?? '');
        if (name === null ? value !== segment : value === '' || value === null) return null;
        if (name !== null) params[name] = value ?? '';
      }
      return params as Parameters<Pattern>;
    },
  };
}

const readName = (segment: string): string | null => /^\{(\w+)\}$/.exec(segment)?.[1] ?? null;

const encodeSegment = (segment: string, params: Readonly<Record<string, string>>): string => {
  const name = readName(segment);
  return name === null ? segment : encodeURIComponent(params[name] ?? '');
};

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
