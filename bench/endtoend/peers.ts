import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LeastProgramSetup } from './least-program.ts'

/** A process that takes calls. */
export interface Peer {
  readonly child: ChildProcess
  readonly port: number
}

/** What `sluice serve` is started with. */
export interface ServedSetup {
  readonly folder: string
  readonly port: number
  readonly webhookUrl: string
  /** Webhooks of each workspace. */
  readonly destinations: number
  /** Their sources have the write keys `k0`, `k1` and so on. */
  readonly workspaces: number
  /** PostgreSQL in place of SQLite. */
  readonly store: string | undefined
  /** Processes that share the port; default one, without a supervisor. PostgreSQL only. */
  readonly processes?: number
  /** Adds to the first workspace a source with a webhook that nothing answers: see `unreachable`. */
  readonly isOneUnreachable?: boolean
}

/** A webhook that cannot be reached, and its source, which gets no calls. */
export const unreachable = { workspaceId: 'bench0', sourceId: 'waiting', writeKey: 'kw', destinationId: 'unreachable' }

/** Nothing listens on the first port. */
const closedAddress = 'http://127.0.0.1:1/'

/** Where `sluice serve` keeps its store. */
export function dataFolderOf({ folder }: Pick<ServedSetup, 'folder'>): string {
  return join(folder, 'data')
}

export function startSluice(setup: ServedSetup): Peer {
  const { folder, port, store, processes } = setup
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'workspace.json'), JSON.stringify(definitionOf(setup)))
  const command = fileURLToPath(new URL('../../../packages/sluice/bin/sluice.js', import.meta.url))
  const place = store === undefined ? ['--data', dataFolderOf(setup)] : ['--store', store]
  const flags = ['--port', String(port), '--allow-address', 'localhost', '--log-level', 'error']
  if (processes !== undefined) flags.push('--processes', String(processes))
  return { child: run([command, 'serve', '--workspace', join(folder, 'workspace.json'), ...place, ...flags]), port }
}

function definitionOf({ webhookUrl, destinations, workspaces, isOneUnreachable }: ServedSetup) {
  const hooks = Array.from({ length: destinations }, (_, n) => `d${n}`)
  const workspaceOf = (n: number) => ({
    id: `bench${n}`,
    sources: [{ id: `s${n}`, writeKey: `k${n}` }],
    destinations: hooks.map((id) => ({ id: `${id}-${n}`, type: 'WEBHOOK', settings: { webhookUrl } })),
    connections: hooks.map((id) => ({ source: `s${n}`, destination: `${id}-${n}` })),
  })
  const all = Array.from({ length: workspaces }, (_, n) => workspaceOf(n))
  const { sourceId: source, writeKey, destinationId: destination } = unreachable
  const [first] = all
  if (isOneUnreachable && first) {
    first.sources.push({ id: source, writeKey })
    first.destinations.push({ id: destination, type: 'WEBHOOK', settings: { webhookUrl: closedAddress } })
    first.connections.push({ source, destination })
  }
  return { workspaces: all }
}

export function startLeast(setup: LeastProgramSetup): Peer {
  const program = fileURLToPath(new URL('./least-program.js', import.meta.url))
  return { child: run([program, JSON.stringify(setup)]), port: setup.port }
}

function run(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

export async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export async function answering(ask: () => Promise<unknown>, child: ChildProcess): Promise<void> {
  for (let looks = 0; looks < 150; looks += 1) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`)
    const status = await ask().catch(() => undefined)
    if (status === 200) return
    await sleep(200)
  }
  throw new Error('the process does not answer')
}

/** Ends a process, and waits until it is gone. */
export async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export function peakOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}
