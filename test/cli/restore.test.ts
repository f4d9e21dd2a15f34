import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
const headers = { authorization: 'Bearer all' }
const key = 'a-key-of-the-operator-that-cannot-be-guessed'

/** Serves the store in the folder while something is done, then stops. */
async function whileServing(work: (url: string) => Promise<void>, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const args = ['serve', '--workspace', 'workspace.json', '--port', '0']
  const server: RunningCommand = startCommand(args, { cwd, env: { ...process.env, ...env } })
  const url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  await work(url)
  server.child.kill('SIGTERM')
  return (await server.ended).stderr
}
async function regulate(url: string, regulationType: string, userId: string): Promise<void> {
  const body = JSON.stringify({ regulationType, users: [{ userId, email: `${userId}@x.test` }] })
  const answer = await fetch(`${url}/v2/regulations`, { method: 'POST', headers, body })
  expect(answer.status).toBe(201)
}

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-restore-'))
  const workspace = shop('http://hook.test/', { accessTokens: [{ name: 'all', token: hashOf('all') }] })
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
  await whileServing((url) => regulate(url, 'suppress', 'early'))
  expect((await runHosted(['backup', 'monday.db', '--data', '.sluice'], { cwd })).status).toBe(0)
  await whileServing((url) => regulate(url, 'suppress', 'late'))
})
afterAll(() => rmSync(cwd, { recursive: true }))

describe('sluice restore --drill', () => {
  it('proves with a backup that everybody would stay suppressed, and changes neither backup nor ledger', async () => {
    const before = await runHosted(['ledger', 'export', '--data', '.sluice'], { cwd })
    const drill = await runHosted(['restore', '--drill', 'monday.db', '--json'], { cwd })
    expect(drill).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(drill.stdout)).toEqual({
      inBackup: 1,
      active: 2,
      putBack: 1,
      canceled: 0,
      notInForce: [],
      halfCanceled: [],
      tried: 1,
      deletions: 0,
      withoutIds: [],
    })
    expect(await runHosted(['ledger', 'export', '--data', '.sluice'], { cwd })).toEqual(before)
    expect((await runHosted(['restore', '--drill', 'monday.db'], { cwd })).stdout).toContain(
      'proved: no suppressed user would be served',
    )
  })

  it('fails for a deletion that could not be done again, and says what to do', async () => {
    cpSync(join(cwd, '.sluice'), join(cwd, 'other'), { recursive: true })
    await whileServing((url) => regulate(url, 'suppress_with_delete', 'gone'))
    const drill = await runHosted(['restore', '--drill', 'monday.db'], { cwd })
    expect(drill.status).toBe(1)
    expect(drill.stdout).toMatch(/the ledger has no ids of these users: \S+\. They stay suppressed/)
    rmSync(join(cwd, '.sluice'), { recursive: true })
    cpSync(join(cwd, 'other'), join(cwd, '.sluice'), { recursive: true })
    await whileServing((url) => regulate(url, 'suppress_with_delete', 'gone'), { SLUICE_LEDGER_KEY: key })
    const env = { ...process.env, SLUICE_LEDGER_KEY: key }
    expect(await runHosted(['restore', '--drill', 'monday.db'], { cwd, env })).toMatchObject({ status: 0 })
  })

  it('does not prove anything with a ledger whose key is another one: it would recognise no user', async () => {
    cpSync(join(cwd, '.sluice', 'ledger'), join(cwd, 'other-key'), { recursive: true })
    writeFileSync(join(cwd, 'other-key', 'key'), 'another\n')
    const drill = await runHosted(['restore', '--drill', 'monday.db', '--ledger', 'other-key'], { cwd })
    expect(drill.status).toBe(1)
    expect(drill.stderr).toMatch(/Put the file key back/i)
  })

  it.each([
    [['restore', '--drill'], /name the file of a backup, or --store/],
    [['restore', '--drill', 'nowhere.db'], /nowhere\.db cannot be read/],
    [['restore', '--drill', 'monday.db', '--ledger', 'elsewhere'], /there is no ledger in the folder \S+elsewhere/],
  ])('refuses %j with the way out', async (args, message) => {
    const { status, stderr } = await runHosted(args, { cwd })
    expect(status).toBe(1)
    expect(stderr).toMatch(message)
  })

  it('leaves no copy behind', async () => {
    const temporary = join(cwd, 'temporary')
    mkdirSync(temporary)
    const env = { ...process.env, TMPDIR: temporary }
    for (const ledger of ['.sluice/ledger', 'elsewhere'])
      await runCommand(['restore', '--drill', 'monday.db', '--ledger', ledger], { cwd, env })
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('a server whose store was put back to a backup', () => {
  it('says what it put back before it serves', async () => {
    for (const name of ['sluice.db', 'sluice.db-wal', 'sluice.db.mark'])
      rmSync(join(cwd, '.sluice', name), { force: true })
    cpSync(join(cwd, 'monday.db'), join(cwd, '.sluice', 'sluice.db'))
    const log = await whileServing(async (url) => {
      const { data } = (await (await fetch(`${url}/v2/regulations`, { headers })).json()) as { data: unknown[] }
      expect(data).toHaveLength(3)
    })
    expect(log).toContain('the store is older than the ledger: regulations were put back before anything was served')
  })
})
