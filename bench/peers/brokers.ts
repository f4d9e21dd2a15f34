import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { cpuOf, cpuOfAll } from '../endtoend/cpu.ts'
import { askDatabase, databaseUrl } from '../endtoend/database.ts'
import { end, freePort } from '../endtoend/peers.ts'

/** The server of a queue, set up so that what it acknowledges is on the disk. */
export interface Broker {
  readonly address: string
  /** CPU that it has used so far, in microseconds. */
  cpu(): number
  close(): Promise<void>
}

/** Opens a broker. @param folder for its files. @returns why it is not there, as text. */
export type OpenBroker = (folder: string) => Promise<Broker | string>

/** Looks at a server that starts, some 50 ms apart. */
const looksMax = 200
const rabbitmqUrl = process.env['BENCH_RABBITMQ'] ?? 'amqp://127.0.0.1:5672'

export const startRedis: OpenBroker = async (folder) => {
  if (!isInstalled('redis-server')) return 'there is no redis-server on the PATH'
  const port = await freePort()
  const always = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  return startBroker('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...always], port)
}

export const startNats: OpenBroker = async (folder) => {
  if (!isInstalled('nats-server')) return 'there is no nats-server on the PATH'
  const port = await freePort()
  const file = join(folder, 'nats.conf')
  mkdirSync(join(folder, 'jetstream'))
  const store = [`store_dir: ${JSON.stringify(join(folder, 'jetstream'))}`]
  if (syncsAlways()) store.push('sync_interval: always')
  else
    process.stderr.write('JetStream: this nats-server acknowledges what is not on the disk yet; 2.10 can wait for it\n')
  writeFileSync(file, `host: 127.0.0.1, port: ${port}\njetstream { ${store.join(', ')} }\n`)
  return startBroker('nats-server', ['-c', file], port)
}

export const findRabbitmq: OpenBroker = async () => {
  const { hostname, port } = new URL(rabbitmqUrl)
  if (!(await isListening(Number(port || 5672), hostname))) return `no RabbitMQ answers at ${hostname}`
  return { address: rabbitmqUrl, cpu: () => cpuOfAll('beam.smp'), close: async () => {} }
}

export const findPostgres: OpenBroker = async () => {
  const isThere = await askDatabase('select').then(
    () => true,
    () => false,
  )
  if (!isThere) return 'no PostgreSQL answers; BENCH_POSTGRES may say where one is'
  return { address: databaseUrl, cpu: () => cpuOfAll('postgres'), close: async () => {} }
}

async function startBroker(command: string, args: readonly string[], port: number): Promise<Broker> {
  const child: ChildProcess = spawn(command, args, { stdio: 'ignore' })
  for (let looks = 0; !(await isListening(port, '127.0.0.1')); looks += 1) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`)
    if (looks < looksMax) continue
    await end(child, 'SIGKILL')
    throw new Error(`${command} does not listen on port ${port}`)
  }
  return {
    address: `127.0.0.1:${port}`,
    cpu: () => cpuOf(child),
    close: () => end(child, 'SIGKILL'),
  }
}

/** Whether the installed nats-server can write each message to the disk before it answers. Source: its release notes of 2.10. */
function syncsAlways(): boolean {
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(String(spawnSync('nats-server', ['--version']).stdout)) ?? []
  return Number(major) > 2 || Number(minor) >= 10
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}

/** Whether something answers; waits a moment where nothing does. */
function isListening(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 })
    const end = (is: boolean): void => {
      socket.destroy()
      setTimeout(() => resolve(is), is ? 0 : 50)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
