const toGroup = (name: string): string => `(?<${name}>[^/?]+)`;

/** Returns the source of a pattern for the paths of a template, `/a/{b}`: by default with a group for each parameter. */
export const buildPathPattern = (template: string, buildParameter = toGroup): string =>
  template.replace(/[$.]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => buildParameter(name));
