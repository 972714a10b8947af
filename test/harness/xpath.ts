import { createRequire } from 'node:module';

interface XPath {
  evaluateXPathToNodes(path: string, node: unknown, ...more: unknown[]): unknown[];
  evaluateXPathToNumber(path: string, node: unknown, ...more: unknown[]): number;
}

const require = createRequire(import.meta.url);

/** Not by an import: the package's types bring those of browsers into everything. */
export const xpath = require('fontoxpath') as XPath;
