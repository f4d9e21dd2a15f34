/** What belongs around a block that is no whole program: declarations before it, or what a client does behind it. */
export interface Frame {
  readonly before?: string
  readonly after?: string
  /** Compiled, but not run. */
  readonly isFragment?: true
}

/**
 * Sends events as a client would, gzip too, then closes everything.
 * @param call calls the program with the request `init`.
 */
const probe = (call: string) => `
import { gzipSync } from 'node:zlib'
const headers = { authorization: \`Basic \${btoa('web-key:')}\`, 'content-type': 'application/json' }
const text = JSON.stringify({ batch: [{ type: 'track', userId: 'u1', event: 'E' }] })
for (const body of [text, gzipSync(text)]) {
  const answer = await ((init: RequestInit) => ${call})({ method: 'POST', headers, body })
  console.log(answer.status, await answer.text()) // 200 ok, then 200 ok
}
await sluice.settled()
console.log((await sluice.stats())[0]?.accepted) // 2
`

/** @param server name of a listening server of Node. */
const probeServer = (server: string, path: string) =>
  probe(`fetch(\`http://127.0.0.1:\${(${server}.address() as import("node:net").AddressInfo).port}${path}\`, init)`)

const mount = 'packages/docs/guides/mount.md'

/** By page and heading. */
export const frames: Readonly<Record<string, Frame>> = {
  [`${mount}#In Express`]: {
    after: `${probeServer('server', '/events/v1/batch')}server.close()\nawait sluice.stop()\n`,
  },
  [`${mount}#In Fastify`]: {
    after: `${probeServer('app.server', '/v1/batch')}await app.close()\nawait sluice.stop()\n`,
  },
  [`${mount}#In Hono`]: { after: `${probeServer('server', '/events/v1/batch')}server.close()\nawait sluice.stop()\n` },
  [`${mount}#In a route handler of Next`]: {
    after: `const sluice = await kept.sluice\n${probe("handle(new Request('http://shop.test/events/v1/batch', init))")}await sluice.stop()\n`,
  },
  'packages/http/README.md#How an area is made': {
    before: `
import { answer, type TokenGate } from '@sluice/http'
import Type from 'typebox'
declare const gate: TokenGate
declare const things: { change(workspaceId: string, id: string, body: { name: string }): Promise<unknown> }
declare const Thing: ReturnType<typeof Type.Object>
`,
    isFragment: true,
  },
  'packages/postgres/README.md#@sluice/postgres': { isFragment: true },
}
