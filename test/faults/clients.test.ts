import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceStats } from '@sluice/pipeline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { basic } from '../support/http/api-client.ts'
import { createSender } from '../support/http/sender.ts'
import { sized } from '../support/long.ts'
import { pause } from '../support/pause.ts'
import { connectionsProgram } from '../support/processes/connections-program.ts'
import { dataPlaneProgram } from '../support/processes/data-plane-program.ts'
import { type Killable, startKillable } from '../support/processes/killable.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

/** `pnpm test:connections` opens 10,000, and so does `pnpm test:long`. */
const connections = Number(process.env['SLUICE_CONNECTIONS'] ?? sized(400, 10_000))
const connectionsMax = 20
const mebibyte = 1_024 ** 2

interface Plane {
  readonly process: Killable
  readonly port: number
  readonly receiver: Receiver
  /** Asks the data plane to stop, and resolves when it has finished its work. */
  end(): Promise<{ readonly memory: number; readonly stats: SourceStats | undefined }>
  close(): Promise<void>
}

async function startPlane(limits: object): Promise<Plane> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clients-'))
  const receiver = await startReceiver()
  const options = {
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl: receiver.url } }],
      connections: [{ source: 's', destination: 'd' }],
    },
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
  }
  const child = await startKillable(dataPlaneProgram, [JSON.stringify({ folder, port: 0, options, limits })])
  return {
    process: child,
    port: Number(await child.reported('serving')),
    receiver,
    end: async () => {
      child.stop()
      const [memory, stats] = await Promise.all([child.reported('memory'), child.reported('stats')])
      expect(await child.ended).toBe('')
      return { memory: Number(memory), stats: (stats as SourceStats[])[0] }
    },
    close: async () => {
      child.kill()
      await child.ended
      await receiver.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const event = (messageId: string) => ({ type: 'track', event: 'E', userId: 'u', messageId })
const textOf = (messageId: string): string => JSON.stringify({ batch: [event(messageId)] })
/** Also resolves when the connection is reset, which is an error. */
const closeOf = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
const head = (more: string): string =>
  `POST /v1/batch HTTP/1.1\r\nhost: x\r\nauthorization: ${basic('k', '')}\r\n${more}\r\n\r\n`

describe('clients that behave badly', () => {
  let plane: Plane
  const open = async (): Promise<Socket> => {
    const socket = connect(plane.port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  beforeAll(async () => {
    const limits = { headersTimeoutMs: 400, requestTimeoutMs: 800, silenceTimeoutMs: 1_000, connectionsMax }
    plane = await startPlane(limits)
  })
  afterAll(() => plane.close())

  it('are cut off when they are slow, from the start, in the headers or in the body, while others are served', async () => {
    const beginnings = ['', 'POST /v1/ba', head('content-length: 100000'), head('transfer-encoding: chunked')]
    const slow = await Promise.all(
      beginnings.map(async (beginning, n) => {
        const socket = await open()
        if (n > 0) socket.write(beginning)
        const next = n === 3 ? '1\r\na\r\n' : 'a'
        const trickle = setInterval(() => n > 0 && socket.write(next), 40)
        let answer = ''
        socket.setEncoding('utf8').on('data', (text: string) => {
          answer += text
        })
        const closed = closeOf(socket).then(() => clearInterval(trickle))
        return { closed, answer: () => answer }
      }),
    )
    const sender = createSender('k')
    expect(await sender.post(plane.port, [event('meanwhile')])).toBe(200)
    sender.close()
    await Promise.all(slow.map(({ closed }) => closed))
    for (const { answer } of slow) expect(answer()).toMatch(/^(HTTP\/1.1 408 [\s\S]*)?$/)
    expect(slow[1]?.answer()).toMatch(/^HTTP\/1.1 408 /)
  })

  it('send no event when they disconnect in the middle of a body, even if what arrived is valid JSON', async () => {
    const body = textOf('half')
    const halves = [
      head(`content-length: ${body.length + 1}`) + body,
      head(`content-length: ${body.length}`) + body.slice(0, -1),
      `${head('transfer-encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n`,
    ]
    for (const half of halves)
      for (const leave of ['end', 'resetAndDestroy'] as const) {
        const socket = await open()
        await new Promise<void>((resolve) => socket.write(half, () => resolve()))
        // Gives the server time to read it, so that the result does not depend on the reset.
        await new Promise((resolve) => setTimeout(resolve, 20))
        socket.resume()[leave]()
        await closeOf(socket)
      }
  })

  it('are cut off when they never read, and cost one response, not all they requested', async () => {
    const socket = await open()
    const asked = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'
    const closed = closeOf(socket)
    socket.pause()
    // Some at a time, as fast as they are accepted.
    for (let n = 0; n < 20; n += 1) {
      socket.write(asked.repeat(50))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await pause(1_500, 'the server must have cut it off after its second of silence, before it reads')
    let answers = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text.split('HTTP/1.1 200').length - 1
    })
    socket.resume()
    await closed
    expect(answers).toBeLessThan(1_000)
  })

  it('get 503 when there are too many of them, and can send when there is room again', async () => {
    const senders = Array.from({ length: connectionsMax }, () => createSender('k'))
    const statuses = await Promise.all(senders.map(({ post }, n) => post(plane.port, [event(`full${n}`)])))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const answer = await fetch(`http://127.0.0.1:${plane.port}/health`)
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('connection')]).toEqual([
      503,
      '5',
      'close',
    ])
    expect(await answer.text()).toBe('too many connections\n')
    for (const { close } of senders) close()
    await eventually(async () => (await fetch(`http://127.0.0.1:${plane.port}/health`)).status).toBe(200)
  })

  it('leave nothing behind: acknowledged events have arrived, no others have, and memory is back to normal', async () => {
    const { memory, stats } = await plane.end()
    const acknowledged = ['meanwhile', ...Array.from({ length: connectionsMax }, (_, n) => `full${n}`)]
    const arrived = plane.receiver.received.map(({ body }) => JSON.parse(body).messageId)
    expect(arrived.sort()).toEqual([...acknowledged].sort())
    expect(stats).toMatchObject({ accepted: acknowledged.length })
    expect(stats?.rejected).toEqual({ 'request body was cut off': 8 })

    expect(memory).toBeLessThan(250 * mebibyte)
  })
})

describe(`${connections} clients at once`, () => {
  it('are all served, nothing is lost, and memory stays bounded', async () => {
    const batches = 2
    // On a busy machine some wait long for the others.
    const plane = await startPlane({ headersTimeoutMs: 60_000, requestTimeoutMs: 60_000, keepAliveTimeoutMs: 60_000 })
    const task = JSON.stringify({ port: plane.port, connections, batches, authorization: basic('k', '') })
    const clients = await startKillable(connectionsProgram, [task])
    try {
      expect(await clients.reported('connected')).toBe(connections)
      const sent = (await clients.reported('sent')) as { acknowledged: string[]; broken: unknown[] }
      expect(sent.broken).toEqual([])
      expect(new Set(sent.acknowledged).size).toBe(connections * batches)
      const { memory, stats } = await plane.end()
      expect(stats).toMatchObject({ accepted: connections * batches })
      expect(stats?.destinations[0]).toMatchObject({ delivered: connections * batches, pending: 0 })
      const arrived = new Set(plane.receiver.received.map(({ body }) => JSON.parse(body).messageId))
      expect(sent.acknowledged.filter((id) => !arrived.has(id))).toEqual([])
      // The base size of the process, plus for each client its connection, a request and a waiting event.
      expect(memory).toBeLessThan(300 * mebibyte + connections * 30 * 1_024)
    } finally {
      clients.kill()
      await clients.ended
      await plane.close()
    }
  })
})
