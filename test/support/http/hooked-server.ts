import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Handler } from './documented.ts'

/** What happens to a request before the server gets it: a response in its place, or nothing. */
export type Hook = (request: Request) => Promise<Response | undefined> | Response | undefined

/** A server in this process, on a port, whose requests a test can see and answer. */
export interface HookedServer {
  readonly url: string
  /** Replaces the hook; none lets all requests pass. */
  hook(next?: Hook): void
  close(): Promise<void>
}

export async function startHookedServer({ fetch: handle }: Handler): Promise<HookedServer> {
  let hook: Hook | undefined
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = 'GET' } = incoming
    const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const body = method === 'GET' || chunks.length === 0 ? undefined : Buffer.concat(chunks)
    const request = (): Request =>
      new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body })
    const response = (await hook?.(request())) ?? (await handle(request()))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hook(next) {
      hook = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
