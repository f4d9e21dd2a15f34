import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks, prepareBlocks, runBlock } from './support/code-blocks.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'

const page = readFileSync(resolve(import.meta.dirname, '../packages/sluice/EMBEDDING.md'), 'utf8')
const folder = join(import.meta.dirname, 'dist/embedding')
let receiver: Receiver

/** Sends events as a client would, gzip too, then closes everything: a program that keeps running fails the test. */
const probe = (port: string, path: string) => `
import { gzipSync } from 'node:zlib'
const headers = { authorization: \`Basic \${btoa('web-key:')}\`, 'content-type': 'application/json' }
const text = JSON.stringify({ batch: [{ type: 'track', userId: 'u1', event: 'E' }] })
for (const body of [text, gzipSync(text)]) {
  const answer = await fetch(\`http://127.0.0.1:\${${port}}${path}\`, { method: 'POST', headers, body })
  console.log(answer.status, await answer.text())
}
await sluice.settled()
console.log((await sluice.stats())[0]?.accepted)
`

beforeAll(async () => {
  receiver = await startReceiver()
  const ofExpress = probe('(server.address() as import("node:net").AddressInfo).port', '/events/v1/batch')
  const ofFastify = probe('(app.server.address() as import("node:net").AddressInfo).port', '/v1/batch')
  const [ingest = '', stages = '', direct = '', express = '', fastify = ''] = codeBlocks(page, 'ts').map((code) =>
    code.replaceAll('http://127.0.0.1:9000', receiver.url),
  )
  prepareBlocks(folder, {
    ingest,
    stages,
    direct,
    express: `${express}${ofExpress}server.close()\nawait sluice.stop()\n`,
    fastify: `${fastify}${ofFastify}await app.close()\nawait sluice.stop()\n`,
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
})
