import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '../../node_modules')

/** The SDKs as their packages publish them, and pages that load them and nothing else. */
const files: Readonly<Record<string, readonly [type: string, content: () => string]>> = {
  '/rudder.js': ['text/javascript', () => sdk('@rudderstack/analytics-js/dist/npm/modern/bundled/umd/index.js')],
  '/segment.js': ['text/javascript', () => sdk('@segment/analytics-next/dist/umd/index.js')],
  '/rudder.html': ['text/html', () => '<!doctype html><title>Shop</title><script src="/rudder.js"></script>'],
  '/segment.html': ['text/html', () => '<!doctype html><title>Shop</title><script src="/segment.js"></script>'],
  '/empty.html': ['text/html', () => '<!doctype html><title>Elsewhere</title>'],
}

const sdk = (path: string): string => readFileSync(join(modules, path), 'utf8')

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

export interface PageServer {
  readonly origin: string
  close(): Promise<void>
}

/** Serves the pages. @param rest answers all other paths. Default: 404. */
export async function servePages(rest: Listener = (_, response) => response.writeHead(404).end()): Promise<PageServer> {
  const server: Server = createServer((request, response) => {
    const file = files[request.url ?? '']
    if (file === undefined) rest(request, response)
    else response.writeHead(200, { 'content-type': file[0] }).end(file[1]())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
