import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { type CommandResult, runCommand } from '../support/processes/command.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
const schema = freshSchema()

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-starts-'))
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop('http://127.0.0.1:9/')))
})

afterEach(async () => {
  rmSync(cwd, { recursive: true })
  if (!noPostgres) await dropSchema(schema)
})

const run = (args: readonly string[]): Promise<CommandResult> =>
  runCommand(['serve', '--workspace', 'workspace.json', ...args], { cwd, env: { SLUICE_STORE: undefined } })

const store = `${postgresUrl}?schema=${schema}`

describe.skipIf(noPostgres)('sluice serve --processes that cannot start', () => {
  it('says once that a port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { status, stderr } = await run([
      '--store',
      store,
      '--processes',
      '2',
      '--port',
      String(port),
      '--log-level',
      'silent',
    ])
    await new Promise((resolve) => other.close(resolve))
    expect([status, stderr]).toEqual([
      1,
      `sluice: port ${port} on 127.0.0.1 is in use; choose another with --port (0 takes a free one)\n`,
    ])
  })

  it('says once what is wrong with the workspace file', async () => {
    writeFileSync(join(cwd, 'workspace.json'), '{"id": "shop", "sources": 3}')
    const { status, stderr } = await run(['--store', store, '--processes', '2', '--port', '0', '--log-level', 'silent'])
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^sluice: the workspace has 3 problems:\n/)])
    expect(stderr.split('sluice:')).toHaveLength(2)
  })
})

describe('sluice serve --processes', () => {
  const refused: readonly [string, readonly string[], RegExp][] = [
    [
      'a store in a file',
      ['--processes', '2'],
      /^sluice: --processes needs a database that several processes share: give --store/,
    ],
    ['the sample', ['--processes', '2', '--events', 'web=a', '--store', store], /^sluice: --events is for one process/],
    ['--once', ['--processes', '2', '--once', '--store', store], /^sluice: --once is for one process/],
    ...['0', '-1', 'x', '1.5', '33', ''].map((value): [string, readonly string[], RegExp] => [
      `the number '${value}'`,
      [`--processes=${value}`, '--store', store],
      /a whole number from 1 to 32, or auto for one per core/,
    ]),
  ]
  for (const [what, args, text] of refused)
    it(`refuses ${what}, with a sentence`, async () => {
      const { status, stderr, stdout } = await run(args)
      expect([status, stderr, stdout]).toEqual([1, expect.stringMatching(text), ''])
    })
})
