import { isMainThread } from 'node:worker_threads';

/**
 * For `--import` of server processes that are asked no question: they do not read the vocabulary ahead, which is half of what
 * a process costs that lives for seconds. Whoever needs it all the same, such as an import, reads it then.
 */
if (isMainThread) {
  const { VOCABULARY } = await import('../../server/clinical/concepts/read-vocabulary.ts');
  VOCABULARY.prepare = () => new Promise(() => {});
}
