// Loaded before all else where the release stands in a node_modules folder (`npx chartgate-….tgz`): Node strips types from
// TypeScript everywhere but there.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const ours = new URL('..', import.meta.url).href;
const dependencies = new URL('../node_modules/', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(ours) || url.startsWith(dependencies) || !url.endsWith('.ts'))
      return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
