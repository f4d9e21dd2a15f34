import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './redis-server.ts'

/** A PostgreSQL server for one test, which may stop it. */
export interface OwnPostgres {
  readonly url: string
  start(): void
  /** As a crash: connections are cut, and the server recovers when it starts again. */
  crash(): void
  /** Stops it and removes its data. */
  remove(): void
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

function run(name: string, args: readonly string[]): string {
  const command = [join(bin ?? '', name), ...args]
  const [program = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command
  // Not the output of the server itself, which would keep the pipe open.
  return execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
}

export async function createOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync('/tmp/sluice-postgres-')
  if (isRoot) {
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(folder, id('-u'), id('-g'))
  }
  const data = join(folder, 'data')
  const port = await freePort()
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  const start = (): void => {
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`
    run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', options, 'start'])
  }
  start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    crash: () => run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']),
    remove: () => {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      rmSync(folder, { recursive: true })
    },
  }
}
