import { execFileSync } from 'node:child_process'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { systemClock } from '@sluice/core'
import { sink } from '@sluice/destinations/kit'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createTransport } from '../create-transport.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A Redis server that answers commands about keys while it may, and all others. */
async function redis() {
  const sockets = new Set<Socket>()
  const state = { answers: true, requests: 0 }
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (text.includes('HSET')) state.requests += 1
      if (state.answers || !text.includes('HSET'))
        socket.write('+OK\r\n'.repeat((text.match(/^\*\d+\r$/gm) ?? []).length))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { state, port: (server.address() as AddressInfo).port }
}

const requestTo = (port: number) =>
  sink({
    method: 'HSET',
    endpoint: `redis://127.0.0.1:${port}/0`,
    body: { commands: [['HSET', 'a', 'b', 'c']] },
    userId: 'u',
  })
const options = (owner: string, timeMs = 20_000) => ({ signal: new AbortController().signal, timeMs, owner })

function transport() {
  const created = createTransport({ clock: systemClock, allowAddresses: ['localhost'] })
  cleanups.push(() => created.close())
  return created
}

/** Ids of the processes of clients that this process has started. */
function clients(): readonly number[] {
  return allClients().filter((pid) => !ofOthers.has(pid))
}

/** Those that an earlier test file of this process has left to end by themselves. */
let ofOthers: ReadonlySet<number> = new Set()
beforeAll(() => {
  ofOthers = new Set(allClients())
})

function allClients(): readonly number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((line) => line.includes('client-main'))
    .map((line) => Number.parseInt(line, 10))
}

it('starts one process with the first request of a kind, and ends it when it is closed', async () => {
  const { port } = await redis()
  const sent = transport()
  expect(clients()).toEqual([])
  await Promise.all(['A', 'B'].map((owner) => sent.send(requestTo(port), options(owner))))
  expect(clients()).toHaveLength(1)
  await sent.close()
  expect(clients()).toEqual([])
})

it('fails requests under way when a process is killed, starts another, and sets their owners apart', async () => {
  const { port, state } = await redis()
  const sent = transport()
  expect(await sent.send(requestTo(port), options('B'))).toMatchObject({ status: 200 })
  state.answers = false
  const underWay = sent.send(requestTo(port), options('A'))
  while (state.requests < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  for (const pid of clients()) process.kill(pid, 'SIGKILL')
  expect(await underWay).toMatchObject({ kind: 'network', code: 'ECLIENTENDED' })
  state.answers = true
  expect(await sent.send(requestTo(port), options('A'))).toMatchObject({ status: 200 })
  expect(await sent.send(requestTo(port), options('B'))).toMatchObject({ status: 200 })
  expect(clients()).toHaveLength(2)
})

it('rejects at once when a request is aborted, and does not send what waits for a process', async () => {
  const { port, state } = await redis()
  const sent = transport()
  const stop = new AbortController()
  const aborted = sent.send(requestTo(port), { ...options('A'), signal: stop.signal })
  stop.abort(new Error('stopping'))
  await expect(aborted).rejects.toThrow('stopping')
  expect(await sent.send(requestTo(port), options('A'))).toMatchObject({ status: 200 })
  expect(state.requests).toBe(1)
})
