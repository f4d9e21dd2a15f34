import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { systemClock } from '@sluice/core'
import { json, query, sink } from '@sluice/destinations/kit'
import { afterEach, describe, expect, it } from 'vitest'
import { createTransport } from './create-transport.ts'

const live = { signal: new AbortController().signal, timeMs: 2_000 }
const stdout = new PassThrough()
const transport = createTransport({ clock: systemClock, allowAddresses: ['localhost'], console: { stdout } })
afterEach(() => transport.close())

describe('the transport for all destinations', () => {
  it('sends REST requests over HTTP and SINK requests to the sink of their scheme', async () => {
    const server = createServer((_, response) => response.writeHead(204).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await transport.send(query({ method: 'GET', endpoint }), live)).toMatchObject({ status: 204 })
    server.close()
    const line = sink({ method: 'POST', endpoint: 'console:stdout', body: { lines: [{ n: 1 }] } })
    expect(await transport.send(line, live)).toMatchObject({ status: 200 })
    expect(String(stdout.read())).toBe('{"n":1}\n')
  })

  it('never lets a REST request, whose address an event may choose, reach a sink', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-transport-'))
    const params = { folder, rotateBytes: 1_000, rotateMinutes: 1 }
    const request = { ...json({ method: 'POST', endpoint: 'file:x', body: { lines: [{}] } }), params }
    expect(await transport.send(request, live)).toMatchObject({ kind: 'unsendable' })
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
  })

  for (const endpoint of ['http://hook.test/', 'ftp://hook.test/', 'constructor:', 'nowhere', '']) {
    it(`refuses a SINK request to '${endpoint}'`, async () => {
      const request = sink({ method: 'POST', endpoint, body: {} })
      expect(await transport.send(request, live)).toMatchObject({ kind: 'unsendable', code: 'ERR_UNKNOWN_SCHEME' })
    })
  }
})
