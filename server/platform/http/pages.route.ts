import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import staticFiles from '@fastify/static';
import type { App } from './app.ts';

export interface Page {
  /** The path that the files are served below, such as `/consent`. */
  basePath: string;
  /** The absolute path of the folder that was built. */
  folder: string;
  /** Endings that an address may leave out, such as `html`. */
  extensions?: string[];
  /** Those of our pages unless said otherwise. */
  headers?: Readonly<Record<string, string>>;
}

/** Allows scripts from our own files only, no requests to other origins, and no framing. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of everything that a page of ours is made of. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

/** A page that may hold the pages of ours that allow it; only the preview of the review does. */
const FRAMING_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': `${CONTENT_SECURITY_POLICY}; frame-src 'self'`,
};

/**
 * Headers of the preview of the review, which the console frames, and nobody else may: it reaches no service, sends no form,
 * opens no window and leads nowhere, whatever its script would do. Its origin is its own: neither the console around it nor
 * a session is in its reach, and cors.ts opens its program to that origin.
 */
export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
};

/** Serves a built page. */
export function servePage(app: App, page: Page): void {
  serveFiles(app, page);
  app.get(page.basePath, async (_request, reply) => reply.redirect(`${page.basePath}/`, 308));
}

/**
 * Serves an app whose pages have paths of their own: every path below `basePath` that nothing else answers is its index.html.
 * That names its files relative to itself, so it is rewritten for the depth of a path; `prefix` is the path of the base URL.
 */
export function serveApp(app: App, { basePath, folder, prefix }: Page & { prefix: string }): void {
  serveFiles(app, { basePath: `${basePath}/assets`, folder: path.join(folder, 'assets') });
  const index = fs
    .readFileSync(path.join(folder, 'index.html'), 'utf8')
    .replaceAll('="./', `="${prefix}${basePath}/`);
  for (const url of [basePath, `${basePath}/*`])
    app.get(url, async (_request, reply) =>
      reply
        .headers({ ...FRAMING_HEADERS, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(index),
    );
}

/** Serves the files of a build. A file whose name holds its hash may be cached forever; others are revalidated. */
export function serveFiles(app: App, { basePath, folder, extensions, headers = PAGE_HEADERS }: Page): void {
  void app.register(staticFiles, {
    root: folder,
    prefix: `${basePath}/`,
    decorateReply: false,
    redirect: false,
    cacheControl: false,
    ...(extensions && { extensions }),
    setHeaders(reply, file) {
      for (const [name, value] of Object.entries(headers)) reply.header(name, value);
      const isHashed = path.dirname(file).endsWith('assets');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

/** Returns the SHA-256 over the names and bytes of a built page: two people with the same hash saw the same program. */
export function hashPage(folder: string): string {
  if (!fs.existsSync(folder))
    throw new Error('the pages are not built; start the service with an npm script, which builds them');
  const hash = createHash('sha256');
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile());
  for (const name of files.map((file) => path.join(file.parentPath, file.name)).sort()) {
    hash
      .update(`${path.relative(folder, name)}\0`)
      .update(fs.readFileSync(name))
      .update('\0');
  }
  return hash.digest('hex');
}
