import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks, runBlock } from './support/code-blocks.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'

const page = readFileSync(resolve(import.meta.dirname, '../packages/sluice/EMBEDDING.md'), 'utf8')
const [ingest = '', direct = '', express = '', fastify = ''] = codeBlocks(page, 'ts')
const folder = join(import.meta.dirname, 'dist/embedding')
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true })
})

const run = (name: string, code: string) =>
  runBlock(join(folder, name, 'main.ts'), code.replaceAll('http://127.0.0.1:9000', receiver.url))

/** Sends events as a client would, gzip too, then closes everything: a program that does not end does not pass. */
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

describe('the page on embedding', () => {
  it('shows how to take events into the log, in a block that runs', async () => {
    expect(await run('ingest', ingest)).toBe('true\nstatus 0')
    expect(receiver.received).toHaveLength(1)
  })

  it('shows how to process batches of a queue, in a block that runs', async () => {
    expect(await run('process', direct)).toMatch(/^\S+ hook delivered \nstatus 0$/)
    expect(receiver.received).toHaveLength(2)
  })

  it('shows how to mount all in Express, where bodies are read by others behind it', async () => {
    const port = `(server.address() as import('node:net').AddressInfo).port`
    const end = `server.close()\nawait sluice.stop()\n`
    expect(await run('express', express + probe(port, '/events/v1/batch') + end)).toBe('200 ok\n200 ok\n2\nstatus 0')
  })

  it('shows how to mount ingestion in Fastify', async () => {
    const port = `(app.server.address() as import('node:net').AddressInfo).port`
    const end = `await app.close()\nawait sluice.stop()\n`
    expect(await run('fastify', fastify + probe(port, '/v1/batch') + end)).toBe('200 ok\n200 ok\n2\nstatus 0')
  })
})
