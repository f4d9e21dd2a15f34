import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { askDatabase, databaseUrl } from '../endtoend/database.ts'

const bin = join(import.meta.dirname, '../../../packages/sluice/bin/sluice.js')
const token = 'bench'
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export interface Process {
  readonly port: number
  readonly child: ChildProcess
}

/** Processes of `sluice serve` that share a store, with one webhook. */
export interface Processes {
  readonly all: Process[]
  /** When the event with this id arrived; undefined before. */
  arrivedAt(id: string): number | undefined
  /** Events that have arrived. */
  readonly arrivals: number
  start(): Promise<Process>
  /** @returns the status of the answer. */
  ingest(to: Process, events: readonly { readonly userId: string; readonly id: string }[]): Promise<number>
  /** Suppresses a user. @returns the status of the answer. */
  regulate(to: Process, userId: string): Promise<number>
  /** Ends all, and removes the store. */
  close(): Promise<void>
}

/**
 * Starts processes as a user would: three from the command line, with the default lease.
 * @param hasLedger whether regulations are kept a second time, in a folder on the disk of the processes.
 */
export async function startProcesses(hasLedger: boolean): Promise<Processes> {
  const schema = `bench_nodes_${process.pid}`
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const arrived = new Map<string, number>()
  const receiver = createServer((request, answer) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      arrived.set(String((JSON.parse(body) as { messageId: string }).messageId), performance.now())
      answer.end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const definition = {
    id: 'bench',
    accessTokens: [{ name: 'bench', token: `sha256:${createHash('sha256').update(token).digest('hex')}` }],
    sources: [{ id: 's', writeKey: 'k' }],
    destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl } }],
    connections: [{ source: 's', destination: 'hook' }],
  }
  writeFileSync(join(folder, 'workspace.json'), JSON.stringify(definition))
  const store = `${databaseUrl}?schema=${schema}`
  const args = [
    'serve',
    '--workspace',
    'workspace.json',
    '--store',
    store,
    '--ledger',
    hasLedger ? 'ledger' : 'none',
    '--port',
    '0',
  ]
  const more = ['--allow-address', '127.0.0.1', '--log-level', 'silent']
  const all: Process[] = []
  const agent = new Agent({ connections: 32 })
  const post = async (path: string, to: Process, authorization: string, body: object): Promise<number> => {
    const answer = await agent.request({
      origin: `http://127.0.0.1:${to.port}`,
      path,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await answer.body.dump()
    return answer.statusCode
  }
  return {
    all,
    arrivedAt: (id) => arrived.get(id),
    get arrivals() {
      return arrived.size
    },
    start: async () => {
      const child = spawn(process.execPath, [bin, ...args, ...more], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const started = { child, port: await portOf(child) }
      all.push(started)
      return started
    },
    ingest: (to, events) =>
      post('/v1/batch', to, basic('k', ''), {
        batch: events.map(({ userId, id }) => ({ type: 'track', event: 'Step', userId, messageId: id })),
      }),
    regulate: (to, userId) =>
      post('/v2/regulations', to, basic('me@bench.test', token), { regulationType: 'suppress', users: [{ userId }] }),
    close: async () => {
      await Promise.all(
        all.map(async ({ child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill('SIGKILL')
          await once(child, 'exit')
        }),
      )
      await agent.close()
      receiver.closeAllConnections()
      receiver.close()
      rmSync(folder, { recursive: true })
      await askDatabase(`drop schema if exists ${schema} cascade`)
    },
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, port] = /Serving on http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
      if (port !== undefined) resolve(Number(port))
    })
    child.on('exit', () => reject(new Error(`a process ended before it served:\n${output}`)))
  })
}
