import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../http/free-port.ts'
import { ask, noPostgres, postgresUrl } from './postgres.ts'

const command = '/usr/sbin/pgbouncer'
/** It refuses to run as the administrator: then it runs as the user without rights. */
const unprivileged = 65_534

/** Why tests that need PgBouncer cannot run, undefined when they can. The reason is printed. */
export const noPgBouncer: string | undefined = noPostgres ?? findReason()

function findReason(): string | undefined {
  if (existsSync(command)) return undefined
  const reason = `there is no ${command}`
  process.stdout.write(`tests of PgBouncer skipped: ${reason}\n`)
  return reason
}

/** Starts PgBouncer before the server of tests. @returns the address of the database of tests behind it. */
export async function startPgBouncer(mode: 'session' | 'transaction'): Promise<{ url: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { hostname, port: serverPort, username } = new URL(postgresUrl)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = options
`,
    { mode: 0o644 },
  )
  const user = process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {}
  const child = spawn(command, [file], { stdio: 'ignore', ...user })
  const url = postgresUrl.replace(`:${serverPort}/`, `:${port}/`)
  for (;;) {
    try {
      await ask('select 1', url)
      break
    } catch (error) {
      if (child.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    url,
    stop() {
      child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}
