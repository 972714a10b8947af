import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/**
 * For `--import` of server processes that are asked no question: they do not read the vocabulary ahead, which is half of what
 * a process costs that lives for seconds. Whoever needs it all the same, such as an import, reads it then.
 */
const PREPARATION = 'service.worker.prepare()';

if (isMainThread)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!/\/dist\/run-[^/]+\.js$/.test(url)) return loaded;
      const source = (loaded.source as Buffer).toString();
      return { ...loaded, source: source.replace(PREPARATION, 'Promise.resolve()') };
    },
  });
