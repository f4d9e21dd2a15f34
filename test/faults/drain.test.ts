import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type FaultyServer, startFaultyServer, treatments } from '../support/faults/faulty-server.ts'
import { basic } from '../support/http/api-client.ts'
import { createSender } from '../support/http/sender.ts'
import { type RunningCommand, startCommand } from '../support/processes/command.ts'
import { patience } from '../support/processes/patience.ts'

let cwd: string
let isHanging: boolean
/** Accepts everything; while it hangs, accepts nothing and does not respond. */
let steady: FaultyServer
let hanging: FaultyServer
const started: RunningCommand[] = []

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-drain-'))
  isHanging = true
  steady = await startFaultyServer(() => treatments.takes)
  hanging = await startFaultyServer(() => (isHanging ? treatments.hangs : treatments.takes))
  const destinations = [steady, hanging].map(({ url }, n) => ({
    id: `d${n}`,
    type: 'WEBHOOK',
    settings: { webhookUrl: url },
  }))
  const connections = destinations.map(({ id }) => ({ source: 's', destination: id }))
  const workspace = { id: 'w', sources: [{ id: 's', writeKey: 'k' }], destinations, connections }
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
})

afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  await steady.close()
  await hanging.close()
  rmSync(cwd, { recursive: true })
})

async function serve(
  stopSeconds: number,
  more: readonly string[] = [],
): Promise<{ command: RunningCommand; port: number }> {
  const env = { SERVICE_ADMIN_USER: 'root', SERVICE_ADMIN_PASSWORD: 'secret' }
  const flags = ['--workspace', 'workspace.json', '--port', '0', '--allow-address', 'localhost', '--in-process']
  const command = startCommand(['serve', ...flags, '--stop-seconds', String(stopSeconds), ...more], { cwd, env })
  started.push(command)
  const [, port] = await command.printed(/Serving on http:\S+:(\d+)/)
  return { command, port: Number(port) }
}

const event = (messageId: string) => ({ type: 'track', event: 'E', userId: messageId, messageId })

/** A request that is only partly sent. */
function beginRequest(port: number, messageId: string) {
  const body = JSON.stringify({ batch: [event(messageId)] })
  const head = `POST /v1/batch HTTP/1.1\r\nhost: x\r\nauthorization: ${basic('k', '')}\r\ncontent-length: ${body.length}\r\n\r\n`
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(head + body.slice(0, 20))
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  return {
    finish: async (): Promise<string> => {
      socket.write(body.slice(20))
      await closed
      return answer
    },
  }
}

async function expectAllArrives(acknowledged: readonly string[]): Promise<void> {
  isHanging = false
  const { command } = await serve(10)
  const missing = ({ taken }: FaultyServer) => acknowledged.filter((id) => !taken.includes(id))
  await eventually(() => [missing(steady), missing(hanging)]).toEqual([[], []])
  command.child.kill('SIGTERM')
  expect((await command.ended).status).toBe(0)
}

describe('stopping a data plane while requests are under way and a destination hangs', () => {
  it('answers requests that had begun, accepts no new ones, exits with 0 in time, and loses nothing', async () => {
    const { command, port } = await serve(2)
    const acknowledged: string[] = []
    // A client that is never idle: it keeps its connection for as long as possible.
    const busy = createSender('k')
    const isBusy = (async () => {
      for (let n = 0; ; n += 1) {
        const status = await busy.post(port, [event(`busy${n}`)])
        if (status === undefined) return
        expect(status).toBe(200)
        acknowledged.push(`busy${n}`)
      }
    })()
    const silent = connect(port, '127.0.0.1').on('error', () => {})
    const begun = beginRequest(port, 'begun')
    await eventually(() => hanging.seen.length).toBeGreaterThan(0)

    const askedAt = performance.now()
    command.child.kill('SIGTERM')
    await command.printed(/stopping/)
    await isBusy
    expect(await createSender('k').post(port, [event('late')])).toBeUndefined()
    expect(await begun.finish()).toMatch(/^HTTP\/1.1 200 OK\r\n(.*\r\n)*connection: close\r\n(.*\r\n)*\r\nok$/i)
    acknowledged.push('begun')
    expect((await command.ended).status).toBe(0)
    // Two seconds, and some time for a busy machine.
    expect(performance.now() - askedAt).toBeLessThan(3_000 * patience())
    silent.destroy()
    busy.close()
    await expectAllArrives(acknowledged)
    expect(steady.seen).not.toContain('late')
  })

  it('accepts no more on the main port while a request to the governance port is under way', async () => {
    const { command, port } = await serve(20, ['--governance-port', '0'])
    const [, governancePort] = await command.printed(/Data Governance API on http:\S+:(\d+)/)
    const slow = connect(Number(governancePort), '127.0.0.1').on('error', () => {})
    slow.write('GET /schemas/event-models HTTP/1.1\r\nhost: x\r\n')
    slow.resume()
    expect(await createSender('k').post(port, [event('before')])).toBe(200)
    command.child.kill('SIGTERM')
    await command.printed(/stopping/)
    await eventually(() => createSender('k').post(port, [event('late')])).toBeUndefined()
    expect(slow.readyState).toBe('open')
    slow.destroy()
    // Its event is at a destination that hangs; another test covers that.
    command.child.kill('SIGINT')
    await command.ended
  })

  it('ends at once on a second signal, and loses nothing', async () => {
    const { command, port } = await serve(60)
    const sender = createSender('k')
    expect(await sender.post(port, [event('a'), event('b')])).toBe(200)
    await eventually(() => hanging.seen.length).toBeGreaterThan(0)
    command.child.kill('SIGTERM')
    await command.printed(/stopping/)
    command.child.kill('SIGINT')
    expect((await command.ended).status).toBe(130)
    sender.close()
    await expectAllArrives(['a', 'b'])
  })
})
