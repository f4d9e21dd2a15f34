import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

/**
 * Serves a folder below a path as a plain file server does: no compression, no headers, nothing of Sluice.
 * @param policy what the content of its pages may do. Absent: everything.
 */
export async function serveFolder(folder: string, path: string, policy?: string) {
  const server = createServer(async ({ url = '' }, response) => {
    const name = new URL(url, 'http://x').pathname
    const file = name === path ? 'index.html' : normalize(name.slice(path.length))
    const isInside = name.startsWith(path) && !file.startsWith('..')
    const bytes = isInside ? await readFile(join(folder, file)).catch(() => undefined) : undefined
    response.setHeader('Content-Type', types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy)
    response.statusCode = bytes ? 200 : 404
    response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    address: `${origin}${path}`,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}
