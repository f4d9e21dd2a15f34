import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../eventually.ts'
import { freePort } from '../http/free-port.ts'
import { ask } from './postgres.ts'

/** A PostgreSQL server for one test, which may stop it. */
export interface OwnPostgres {
  readonly url: string
  readonly port: number
  start(): void
  /** As a crash: connections are cut, and the server recovers when it starts again. */
  crash(): void
  /**
   * Starts another server that follows this one. With a synchronous one, a write is acknowledged from now on when both have
   * it on disk; with an asynchronous one, when this server has it. Resolves when that is so.
   */
  startStandby(how?: 'synchronous' | 'asynchronous'): Promise<Standby>
  /** Stops it and removes its data. */
  remove(): void
}

/** A server that follows another one, and can take its place. */
export interface Standby extends Pick<OwnPostgres, 'url' | 'port' | 'remove'> {
  /** It gets nothing more of the server that it follows. Resolves when that is so. */
  stopFollowing(): Promise<void>
  /** From now on it is a server of its own. */
  promote(): void
}

const versions = '/usr/lib/postgresql'
const bin = existsSync(versions)
  ? join(versions, readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] ?? '', 'bin')
  : undefined
/** The server refuses to run as root, so a root runs it as the user that the package made. */
const isRoot = process.getuid?.() === 0

/** Why no server can be started here, undefined when one can. The reason is printed. */
export const noOwnPostgres = findReason()

function findReason(): string | undefined {
  const reason = bin === undefined || !existsSync(join(bin, 'initdb')) ? `${versions} has no initdb` : undefined
  if (reason) process.stdout.write(`tests that stop PostgreSQL skipped: ${reason}\n`)
  return reason
}

function run(name: string, args: readonly string[]): void {
  const command = [join(bin ?? '', name), ...args]
  const [program = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
  // Not the output of the server itself, which would keep the pipe open.
  execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
}

/** @param parent folder in which it has its data. */
export async function createOwnPostgres(parent = '/tmp'): Promise<OwnPostgres> {
  const folder = newFolder(parent)
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  const server = serverOf(folder, await freePort())
  server.start()
  return { ...server, startStandby: (how = 'synchronous') => startStandby(server.url, how) }
}

function newFolder(parent = '/tmp'): string {
  const folder = mkdtempSync(join(parent, 'sluice-postgres-'))
  if (isRoot) {
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(folder, id('-u'), id('-g'))
  }
  return folder
}

function serverOf(folder: string, port: number) {
  const data = join(folder, 'data')
  const stop = (): void => run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    start: (): void => {
      const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`
      run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start'])
    },
    promote: (): void => run('pg_ctl', ['-D', data, '-w', 'promote']),
    crash: stop,
    remove: (): void => {
      // It may have been stopped already.
      if (existsSync(join(data, 'postmaster.pid'))) stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function startStandby(primaryUrl: string, how: 'synchronous' | 'asynchronous'): Promise<Standby> {
  const folder = newFolder()
  // Writes how to follow the primary into the settings of the new server.
  run('pg_basebackup', ['-d', primaryUrl, '-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  const server = serverOf(folder, await freePort())
  server.start()
  if (how === 'synchronous') {
    await ask(`alter system set synchronous_standby_names = '*'`, primaryUrl)
    await ask('select pg_reload_conf()', primaryUrl)
  }
  const state = how === 'synchronous' ? `sync_state = 'sync'` : `state = 'streaming'`
  const followers = async (where: string): Promise<unknown> => {
    const [row] = await ask(`select count(*)::int as ready from pg_stat_replication where ${where}`, primaryUrl)
    return row?.['ready']
  }
  await until(async () => (await followers(state)) === 1)
  return {
    ...server,
    stopFollowing: async () => {
      await ask(`alter system set primary_conninfo = ''`, server.url)
      await ask('select pg_reload_conf()', server.url)
      await until(async () => (await followers('true')) === 0)
    },
    promote: () => promote(server),
  }
}

function promote(server: ReturnType<typeof serverOf>): void {
  server.promote()
  // It has no standby of its own to wait for.
  run('psql', ['-d', server.url, '-c', 'alter system reset synchronous_standby_names', '-c', 'select pg_reload_conf()'])
}
