import type { EndpointDefinition } from '../../../contract/endpoint.ts';
import { buildPathPattern } from './path-pattern.ts';

interface Rule {
  pattern: RegExp;
  path: string;
}

/**
 * Creates a function that returns the URL of an endpoint for each other URL that the contract says is the same. The root
 * is a page when it is read (GET, HEAD), whatever it is an alias of.
 */
export function createUrlRewriter(
  endpoints: readonly EndpointDefinition[],
): (request: { method?: string | undefined; url?: string | undefined }) => string {
  const rules = endpoints.flatMap(({ path, aliases = [] }) =>
    aliases.map((alias): Rule => ({ pattern: toPattern(alias), path: toReplacement(path) })),
  );
  return ({ method, url = '/' }) => {
    if (/^\/(\?|$)/.test(url) && (method === 'GET' || method === 'HEAD')) return url;
    const rule = rules.find(({ pattern }) => pattern.test(url));
    return rule ? url.replace(rule.pattern, rule.path) : url;
  };
}

/** Matches the path alone, whatever query follows it. */
const toPattern = (path: string): RegExp => new RegExp(`^${buildPathPattern(path)}(?=\\?|$)`, 'i');

/** `/a/{b}` → the replacement that fills in what the pattern captured; a `$` of the path stands for itself. */
const toReplacement = (path: string): string => path.replaceAll('$', '$$$$').replace(/\{(\w+)\}/g, '$<$1>');
