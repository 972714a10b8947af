import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import staticFiles from '@fastify/static';
import type { App } from './app.ts';

export interface Page {
  /** The path that the files are served below, such as `/consent`. */
  basePath: string;
  /** The absolute path of the folder that Vite built. */
  folder: string;
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

/** Serves a built page. */
export function servePage(app: App, page: Page): void {
  serveFiles(app, page);
  app.get(page.basePath, async (_request, reply) => reply.redirect(`${page.basePath}/`, 308));
}

/** Serves the files of a build. A file whose name holds its hash may be cached forever; others are revalidated. */
export function serveFiles(app: App, { basePath, folder }: Page): void {
  void app.register(staticFiles, {
    root: folder,
    prefix: `${basePath}/`,
    decorateReply: false,
    redirect: false,
    cacheControl: false,
    setHeaders(reply, file) {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      reply.header('x-frame-options', 'DENY');
      reply.header('cross-origin-opener-policy', 'same-origin');
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
