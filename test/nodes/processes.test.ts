import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive, type ProcessServer, startProcessServer } from '../support/cluster/process-server.ts'
import { noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { basic } from '../support/http/api-client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

let receiver: Receiver
let server: ProcessServer

/** Gives the status with which the receiver answers; default 200 at once. */
let answer: (body: string) => unknown

beforeEach(async () => {
  answer = () => 200
  receiver = await startReceiver(({ body }) => answer(body))
})

afterEach(async () => {
  await server.close()
  await receiver.close()
})

const source = basic('web-key', '')

/** Sends an event of a user, on a connection of its own. Resolves with the status. */
async function track(n: number): Promise<number | undefined> {
  const body = { userId: `u${n % 50}`, event: 'Step', messageId: `m${n}` }
  return (await server.ask('/v1/track', { body, authorization: source }))?.status
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)
const deliveredIds = (): ReadonlySet<string> => new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId))
const health = async () => JSON.parse((await server.ask('/health'))?.text ?? '{}')

describe.skipIf(noPostgres)('sluice serve --processes', () => {
  it('serves with all processes on one port, and shows the figures of all', async () => {
    server = await startProcessServer(receiver.url)
    const startedAt = async () => JSON.parse((await server.ask('/v2/server'))?.text ?? '{}').startedAt
    const started = new Set(await Promise.all(numbers(8).map(startedAt)))
    expect(started.size).toBe(2)
    const atGovernance = { at: server.governanceUrl, authorization: basic('admin', 'a password of the admin') }
    for (const _ of numbers(4)) expect((await server.ask('/schemas/event-models', atGovernance))?.status).toBe(200)

    for (const status of await Promise.all(numbers(200).map(track))) expect(status).toBe(200)
    await eventually(() => deliveredIds().size).toBe(200)
    const delivered = () => server.metric('sluice_stage_events_total', 'stage="deliver",outcome="passed"')
    await eventually(delivered).toBe(200)
    // Each answer may be of the other process.
    for (const _ of numbers(6)) expect(await delivered()).toBe(200)
    expect(await server.metric('sluice_events_accepted_total')).toBe(200)
    expect(await server.metric('sluice_cluster_lanes')).toBe(32)
    for (const process of [1, 2]) expect(await server.metric('sluice_process_answered', `process="${process}"`)).toBe(1)
    expect(await health()).toEqual({ status: 'ok', warnings: ['noLedger'] })
    const usage = JSON.parse((await server.ask('/v1/usage'))?.text ?? '{}').workspaces[0].budgets
    // Two processes with 256 MiB each.
    expect(usage.find(({ budget }: { budget: string }) => budget === 'bodies')).toMatchObject({
      limit: 2 * 256 * 1024 ** 2,
    })
    expect(JSON.parse((await server.ask('/v1/circuits'))?.text ?? '{}').workspaces[0].destinations).toEqual([
      { destinationId: 'hook', state: 'closed', health: 'works', endedLately: 200, failedLately: 0, waiting: 0 },
    ])

    // The log is whole lines, each of a process or of the server itself, and what is for the operator comes once.
    const serving = server.log().filter(({ msg }) => msg === 'serving')
    expect(serving.map(({ process }) => process)).toEqual([1, 2])
    server.command.child.kill('SIGTERM')
    const { status, stdout } = await server.command.ended
    expect(status).toBe(0)
    for (const once of ['Serving on', 'Studio:', 'stopping']) expect(stdout.split(once)).toHaveLength(2)
    for (const { pid } of serving) expect(isAlive(pid)).toBe(false)
  })

  it('starts a process again that was killed, loses no accepted event, and does not count backwards', async () => {
    server = await startProcessServer(receiver.url, ['--lease-seconds', '3'])
    const accepted: number[] = []
    let isOver = false
    const client = async (first: number): Promise<void> => {
      for (let n = first; !isOver; n += 4) if ((await track(n)) === 200) accepted.push(n)
    }
    const clients = numbers(4).map(client)
    const delivered = async () =>
      (await server.metric('sluice_stage_events_total', 'stage="deliver",outcome="passed"')) ?? 0
    await eventually(() => accepted.length).toBeGreaterThan(100)
    await eventually(delivered).toBeGreaterThan(0)
    const before = await delivered()
    const killed = server.pid(1)
    process.kill(killed, 'SIGKILL')
    const acceptedAtKill = accepted.length
    await eventually(health).toMatchObject({
      status: 'degraded',
      reason: 'processesUnwell',
      processes: [{ process: 1, reason: 'starting' }],
    })
    expect(await server.metric('sluice_process_answered', 'process="1"')).toBe(0)
    await eventually(() => server.pid(1)).not.toBe(killed)
    await eventually(health).toMatchObject({ status: 'ok' })
    // The other one has served meanwhile.
    expect(accepted.length).toBeGreaterThan(acceptedAtKill)
    isOver = true
    await Promise.all(clients)
    await eventually(() => server.metric('sluice_destination_pending')).toBe(0)
    const ids = deliveredIds()
    expect(accepted.filter((n) => !ids.has(`m${n}`))).toEqual([])
    expect(await delivered()).toBeGreaterThanOrEqual(before)
    expect(await server.metric('sluice_process_restarts_total', 'process="1"')).toBe(1)
    expect(server.log().filter(({ reason }) => reason !== undefined)).toMatchObject([
      { process: 1, reason: 'it ended with SIGKILL' },
    ])
  })

  it('names a process that does not answer, and keeps no client waiting that was given to it when it is killed', async () => {
    server = await startProcessServer(receiver.url, ['--lease-seconds', '60'])
    const silent = server.pid(2)
    process.kill(silent, 'SIGSTOP')
    // Connections go to the processes in turn, until one does not take its own.
    const waiting = numbers(6).map(() => server.ask('/live'))
    await eventually(() => server.metric('sluice_process_answered', 'process="2"')).toBe(0)
    expect(await health()).toMatchObject({ status: 'degraded', processes: [{ process: 2, reason: 'noAnswer' }] })
    process.kill(silent, 'SIGKILL')
    const answers = await Promise.all(waiting)
    expect(answers.filter((each) => each !== undefined && each.status !== 200)).toEqual([])
    expect(answers.filter((each) => each === undefined).length).toBeLessThanOrEqual(1)
    await eventually(health).toMatchObject({ status: 'ok' })
  })

  it('applies the workspace file in all processes on SIGHUP, and reports a file with errors once', async () => {
    server = await startProcessServer(receiver.url)
    server.writeWorkspace({
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'app', writeKey: 'app-key' },
      ],
    })
    server.command.child.kill('SIGHUP')
    await server.command.printed(/^applied workspace\.json, in 2 processes$/m)
    const statuses = numbers(6).map(async (n) => {
      const body = { userId: `u${n}`, event: 'Step' }
      return (await server.ask('/v1/track', { body, authorization: basic('app-key', '') }))?.status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200, 200])

    writeFileSync(join(server.folder, 'workspace.json'), '{ "id": ')
    server.command.child.kill('SIGHUP')
    await server.command.printed(/workspace\.json was not applied; the previous workspace keeps running/)
    expect(await track(1)).toBe(200)
    server.command.child.kill('SIGTERM')
    const { status, stdout } = await server.command.ended
    expect(status).toBe(0)
    expect(stdout.split('was not applied')).toHaveLength(2)
  })

  it('ends all processes at once at a second signal', async () => {
    answer = () => new Promise(() => {})
    server = await startProcessServer(receiver.url, ['--stop-seconds', '60'])
    const pids = [server.pid(1), server.pid(2)]
    for (const status of await Promise.all(numbers(20).map(track))) expect(status).toBe(200)
    await eventually(() => receiver.received.length).toBeGreaterThan(0)
    server.command.child.kill('SIGTERM')
    await server.command.printed(/stopping \(repeat to stop immediately\)/)
    server.command.child.kill('SIGTERM')
    expect((await server.command.ended).status).toBe(130)
    for (const pid of pids) await eventually(() => isAlive(pid)).toBe(false)
  })

  it('leaves no process behind when the server itself is killed', async () => {
    server = await startProcessServer(receiver.url)
    const pids = [server.pid(1), server.pid(2)]
    expect(pids.map(isAlive)).toEqual([true, true])
    server.command.child.kill('SIGKILL')
    await server.command.ended
    for (const pid of pids) await eventually(() => isAlive(pid)).toBe(false)
  })

  it('ends a process that an operator stops by itself in order, and starts it again', async () => {
    server = await startProcessServer(receiver.url)
    const stopped = server.pid(2)
    process.kill(stopped, 'SIGTERM')
    await eventually(() => server.pid(2)).not.toBe(stopped)
    await eventually(health).toMatchObject({ status: 'ok' })
    expect(server.log().filter(({ reason }) => reason !== undefined)).toMatchObject([
      { process: 2, reason: 'it ended with status 0' },
    ])
  })
})
