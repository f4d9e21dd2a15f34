import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'

const folder = resolve(import.meta.dirname, '../../packages/docs/guides/cluster')
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

interface Service {
  readonly command: readonly string[]
  readonly read_only: boolean
}

const { services } = parse(textOf('compose.yaml'), { merge: true }) as { services: Readonly<Record<string, Service>> }
const commandOf = (name: string): readonly string[] => services[name]?.command ?? []

describe.skipIf(noPostgres)('the example of a cluster', () => {
  it('has commands that work, with roles that may do what they need, and probes that answer', async () => {
    const schema = freshSchema()
    const [owner, role] = [`owner_${schema}`, `run_${schema}`]
    const roles = textOf('roles.sql')
      .replace(/^\\getenv .*$/m, '')
      .replace(":'run_password'", "'secret'")
      // Of PostgreSQL 17, which the example uses.
      .replace(', maintain', '')
      .replaceAll('sluice_owner', owner)
      .replaceAll('sluice_run', role)
    const urlOf = (user: string): string => `${postgresUrl.replace('postgres@', `${user}@`)}?schema=${schema}`
    const cwd = mkdtempSync(join(tmpdir(), 'sluice-example-'))
    let served: RunningCommand | undefined
    try {
      await ask(`create role ${owner} login; grant create on database test to ${owner}; ${roles}`)
      const tables = await runCommand(commandOf('tables'), { cwd, env: { SLUICE_STORE: urlOf(owner) } })
      expect([tables.stderr, tables.status]).toEqual([expect.stringContaining('Created the tables'), 0])
      // As for any other role: what `store init` prints is what the processes need.
      const granted = `
        select has_sequence_privilege('${role}', '${schema}.log_position', 'select') as reads,
          has_sequence_privilege('${role}', '${schema}.log_position', 'usage') as draws,
          has_sequence_privilege('${role}', '${schema}.log_position', 'update') as closes,
          has_function_privilege('${role}', '${schema}.add_log_partition(bigint)', 'execute') as adds,
          has_function_privilege('${role}', '${schema}.drop_log_partition(bigint)', 'execute') as drops`
      expect(await ask(granted)).toEqual([{ reads: true, draws: true, closes: true, adds: true, drops: true }])
      const args = commandOf('node-a').map((arg) =>
        arg === '/etc/sluice/workspace.yaml' ? join(folder, 'workspace.yaml') : arg,
      )
      expect(commandOf('node-b')).toEqual(commandOf('node-a'))
      served = startCommand([...args, '--port', '0'], { cwd, env: { SLUICE_STORE: urlOf(role) } })
      const [, port] = await served.printed(/Serving on http:\/\/0\.0\.0\.0:(\d+)/)
      const probes = [...`${textOf('haproxy.cfg')}${textOf('compose.yaml')}`.matchAll(/(?:GET |8080)(\/[a-z]+)/g)]
      expect(probes.map(([, path]) => path)).toEqual(['/ready', '/live'])
      for (const [, path] of probes) expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)
      // So their file systems can be read-only.
      expect([services['node-a']?.read_only, readdirSync(cwd)]).toEqual([true, []])
    } finally {
      served?.child.kill('SIGTERM')
      await served?.ended
      await dropSchema(schema)
      await ask(`drop owned by ${role}, ${owner}; drop role ${role}, ${owner}`)
      rmSync(cwd, { recursive: true })
    }
  })
})
