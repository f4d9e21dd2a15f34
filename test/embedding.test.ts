import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks, prepareBlocks, runBlock } from './support/code-blocks.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'

const page = readFileSync(resolve(import.meta.dirname, '../packages/sluice/EMBEDDING.md'), 'utf8')
const folder = join(import.meta.dirname, 'dist/embedding')
let receiver: Receiver

/**
 * Sends events as a client would, gzip too, then closes everything: a program that keeps running fails the test.
 * @param call calls the program with the request `init`.
 */
const probe = (call: string) => `
import { gzipSync } from 'node:zlib'
const headers = { authorization: \`Basic \${btoa('web-key:')}\`, 'content-type': 'application/json' }
const text = JSON.stringify({ batch: [{ type: 'track', userId: 'u1', event: 'E' }] })
for (const body of [text, gzipSync(text)]) {
  const init = { method: 'POST', headers, body }
  const answer = await ${call}
  console.log(answer.status, await answer.text())
}
await sluice.settled()
console.log((await sluice.stats())[0]?.accepted)
`

/** @param server name of a listening server of Node. */
const probeServer = (server: string, path: string) =>
  probe(`fetch(\`http://127.0.0.1:\${(${server}.address() as import("node:net").AddressInfo).port}${path}\`, init)`)

beforeAll(async () => {
  receiver = await startReceiver()
  const [ingest = '', configuration = '', stages = '', direct = '', express = '', fastify = '', hono = '', next = ''] =
    codeBlocks(page, 'ts').map((code) => code.replaceAll('http://127.0.0.1:9000', receiver.url))
  prepareBlocks(folder, {
    ingest,
    configuration,
    stages,
    direct,
    express: `${express}${probeServer('server', '/events/v1/batch')}server.close()\nawait sluice.stop()\n`,
    fastify: `${fastify}${probeServer('app.server', '/v1/batch')}await app.close()\nawait sluice.stop()\n`,
    hono: `${hono}${probeServer('server', '/events/v1/batch')}server.close()\nawait sluice.stop()\n`,
    next: `${next}const sluice = await kept.sluice\n${probe("handle(new Request('http://shop.test/events/v1/batch', init))")}await sluice.stop()\n`,
  })
})
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true })
})

describe('the page on embedding', () => {
  it('shows how to ingest events into the log, in a block that runs', async () => {
    expect(await runBlock(folder, 'ingest')).toBe('true\nstatus 0')
    expect(receiver.received).toHaveLength(1)
  })

  it('shows how to change the configuration of a running pipeline, in a block that runs', async () => {
    expect(await runBlock(folder, 'configuration')).toMatch(/^\[ 'app 1', 'hook 1', '\S+ 1' \]\n\S{43}\nstatus 0$/)
  })

  it('shows how to add a stage of your own, in a block that runs', async () => {
    expect(await runBlock(folder, 'stages')).toBe('sent by a bot\nstatus 0')
  })

  it('shows how to process batches of a queue, in a block that runs', async () => {
    expect(await runBlock(folder, 'direct')).toMatch(/^\S+ hook delivered \nstatus 0$/)
    expect(receiver.received).toHaveLength(2)
  })

  it('shows how to mount everything in Express, where later middleware parses bodies', async () => {
    expect(await runBlock(folder, 'express')).toBe('200 ok\n200 ok\n2\nstatus 0')
  })

  it('shows how to mount ingestion in Fastify', async () => {
    expect(await runBlock(folder, 'fastify')).toBe('200 ok\n200 ok\n2\nstatus 0')
  })

  it('shows how to mount all in Hono', async () => {
    expect(await runBlock(folder, 'hono')).toBe('200 ok\n200 ok\n2\nstatus 0')
  })

  it('shows how to answer from a route handler of Next', async () => {
    expect(await runBlock(folder, 'next')).toBe('200 ok\n200 ok\n2\nstatus 0')
  })
})
