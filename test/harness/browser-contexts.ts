import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

/** What a context keeps for its whole life; whoever wants another takes another context. */
export type ContextOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'locale' | 'reducedMotion' | 'viewport' | 'timezoneId'
>;

/** How many stay open for whoever comes next; each has a process of its own. */
const MAX_IDLE = 3;

interface PooledContext {
  context: BrowserContext;
  key: string;
  /** Never used: without a page the process ends, and with it all that was compiled. */
  keeper: Page;
  inspector: CDPSession;
  /** Something was installed in it that only its end removes. */
  isSpoiled: boolean;
}

const idle: PooledContext[] = [];
const taken = new Map<BrowserContext, PooledContext>();

/**
 * A browser that looks as if nobody had used it. A new context costs a second of a core, for the process that it starts and
 * for the scripts that this compiles anew; one that was used before is emptied instead, and keeps its cache of scripts.
 */
export async function takeContext(chromium: Browser, options: ContextOptions): Promise<BrowserContext> {
  const { colorScheme, locale, reducedMotion, viewport, timezoneId } = options;
  const key = JSON.stringify([colorScheme, locale, reducedMotion, viewport, timezoneId]);
  const at = idle.findLastIndex((each) => each.key === key && each.context.browser() === chromium);
  const found = at === -1 ? await openContext(chromium, options, key) : idle.splice(at, 1)[0];
  if (found === undefined) throw new Error('no context');
  taken.set(found.context, found);
  return found.context;
}

async function openContext(chromium: Browser, options: ContextOptions, key: string): Promise<PooledContext> {
  const context = await chromium.newContext(options);
  const keeper = await context.newPage();
  const pooled = { context, key, keeper, inspector: await context.newCDPSession(keeper), isSpoiled: false };
  const { clock } = context;
  const install = clock.install.bind(clock);
  clock.install = (time) => {
    pooled.isSpoiled = true;
    return install(time);
  };
  return pooled;
}

/** Everything but the cache, which the service's answers say what may be in. */
const STORAGE_TYPES = 'local_storage,indexeddb,cache_storage,service_workers,file_systems';

/** Gives a context back, emptied of what its person left at these origins; or closes it. */
export async function releaseContext(context: BrowserContext, origins: readonly string[]): Promise<void> {
  const pooled = taken.get(context);
  taken.delete(context);
  if (pooled === undefined || pooled.isSpoiled || pooled.keeper.isClosed()) return context.close();
  const { keeper, inspector } = pooled;
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all(
    context
      .pages()
      .filter((page) => page !== keeper)
      .map((page) => page.close()),
  );
  await context.clearCookies();
  await context.clearPermissions();
  for (const origin of origins)
    await inspector.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE_TYPES });
  idle.push(pooled);
  for (const { context: oldest } of idle.splice(0, idle.length - MAX_IDLE)) await oldest.close();
}

/** Closes what was taken and not given back. */
export const closeTakenContexts = async (): Promise<void> => {
  const contexts = [...taken.keys()];
  taken.clear();
  await Promise.all(contexts.map((context) => context.close()));
};
