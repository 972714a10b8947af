interface XPath {
  evaluateXPathToNodes(path: string, node: unknown, ...more: unknown[]): unknown[];
  evaluateXPathToNumber(path: string, node: unknown, ...more: unknown[]): number;
}

/** By a name that the compiler does not follow: the package's types bring those of browsers into everything. */
const PACKAGE: string = 'fontoxpath';

export const xpath = ((await import(PACKAGE)) as { default: XPath }).default;
