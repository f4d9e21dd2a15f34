import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks, prepareBlocks, runBlock } from './support/code-blocks.ts'
import { type RunningCommand, startCommand } from './support/command.ts'
import { consoleCommands, outputPattern, runLine } from './support/console-blocks.ts'
import { asInstalled } from './support/installed.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** The pages that a new user reads first: their blocks run. */
const guides = ['start', 'compose', 'test-transformations', 'tour']
const pages = [readme, ...guides.map((name) => readFileSync(join(root, `packages/docs/guides/${name}.md`), 'utf8'))]
const blocks = (language: string): readonly string[] => pages.flatMap((page) => codeBlocks(page, language))

const folder = join(import.meta.dirname, 'dist/readme')
let receiver: Receiver
let served: RunningCommand | undefined

beforeAll(async () => {
  receiver = await startReceiver()
  const [embed = '', compose = ''] = blocks('ts').map((code) => code.replaceAll('http://127.0.0.1:9000', receiver.url))
  prepareBlocks(folder, { embed, compose })
})
afterAll(async () => {
  served?.child.kill('SIGKILL')
  await served?.ended
  await receiver.close()
  rmSync(folder, { recursive: true })
})

describe('the README and the guides', () => {
  it('shows how to embed Sluice in a block that runs, and that reads the receipt', async () => {
    const output = await runBlock(folder, 'embed')
    expect(output).toMatch(/outcome: 'delivered'[\s\S]*status 0$/)
    expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body).event])).toEqual([['/in', 'Order Placed']])
  })

  it('shows how to compose stages in a block that runs', async () => {
    expect(await runBlock(folder, 'compose')).toBe("[ 'delivered', 'dropped' ]\nstatus 0")
    const [, entry] = receiver.received
    expect([entry?.path, entry?.body]).toEqual(['/ledger', '{"book":"main","entry":"Order Placed"}'])
  })

  const commands = blocks('sh').flatMap((block) => block.trim().split('\n'))
  for (const command of commands) {
    it(`shows a command that works: ${command}`, () => {
      const line = command.replace(/^pnpm sluice/, 'node packages/sluice/bin/sluice.js')
      expect(line).not.toBe(command)
      const { stderr, stdout } = spawnSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' })
      // `run` says there how many events failed, which some of the sample do.
      expect(stderr).toMatch(line.includes(' run ') ? /^\d+ events: [^\n]*\n$/m : /^$/)
      expect(stdout).not.toBe('')
    })
  }

  it('shows working curl commands to send, publish, suppress, delete, look at shapes, replay and watch', async () => {
    const data = join(folder, 'data')
    served = startCommand(['serve', '--sample', '--port', '0', '--data', data], { cwd: folder })
    const [, TOKEN = '', API = ''] = await served.printed(/Bearer (\S+)' (http:\/\/[^/]+)/)
    const [, ADMIN = ''] = await served.printed(/-u (admin:\S+)/)
    const authorization = `Basic ${Buffer.from(ADMIN).toString('base64')}`
    const models = await fetch(`${API}/schemas/event-models`, { headers: { authorization } })
    const [model] = (await models.json()) as { EventID: string }[]
    const bearer = { authorization: `Bearer ${TOKEN}` }
    const letters = await fetch(`${API}/v2/dead-letters?limit=1`, { headers: bearer })
    const [letter] = ((await letters.json()) as { data: { messageId: string }[] }).data
    const lines = blocks('bash').flatMap((block) => block.trim().replace('http://127.0.0.1:8080', API).split('\n'))
    let REGULATION: string | undefined
    const answers = lines.map((line) => {
      const { stdout } = spawnSync('sh', ['-c', line.replace('curl', 'curl -s')], {
        encoding: 'utf8',
        env: { ...process.env, API, TOKEN, ADMIN, EVENT: model?.EventID, REGULATION, MESSAGE: letter?.messageId },
      })
      if (stdout === 'ok' || stdout === 'Created' || stdout.startsWith('# HELP')) return stdout
      const answer = JSON.parse(stdout) as unknown
      if (line.includes('?userId=')) REGULATION = (answer as { data: { id: string }[] }).data[0]?.id
      return answer
    })
    expect(answers).toEqual([
      'ok',
      expect.objectContaining({ name: 'Mark', destinations: [expect.objectContaining({ id: 'everything' })] }),
      expect.objectContaining({ code: 'testsFailed', message: expect.stringContaining('Broken') }),
      { transformations: [expect.objectContaining({ name: 'Mark' })] },
      expect.objectContaining({ openapi: '3.1.0' }),
      'Created',
      expect.objectContaining({
        data: expect.arrayContaining([
          expect.objectContaining({ attributes: { userId: 'user-42', email: 'u42@shop.test' } }),
        ]),
      }),
      { data: expect.arrayContaining([expect.objectContaining({ sourceId: 'web', events: expect.any(Number) })]) },
      'Created',
      { data: [expect.objectContaining({ attributes: { userId: 'user-43' } })], paging: {} },
      expect.objectContaining({
        regulation: expect.objectContaining({ attributes: { userId: 'user-43' } }),
        data: expect.arrayContaining([expect.objectContaining({ destination: 'Sluice' })]),
      }),
      expect.arrayContaining([expect.objectContaining({ EventID: model?.EventID })]),
      expect.objectContaining({ SampledEvents: expect.any(Array) }),
      expect.objectContaining({ type: 'object' }),
      expect.objectContaining({
        data: expect.arrayContaining([
          expect.objectContaining({ destinationId: 'orders', code: 'deliver.refused', request: expect.anything() }),
        ]),
      }),
      { replayed: expect.any(Number) },
      expect.objectContaining({ matched: expect.any(Number) }),
      { workspaces: [expect.objectContaining({ workspaceId: 'sample' })] },
      { workspaces: [expect.objectContaining({ budgets: expect.any(Array) })] },
      expect.objectContaining({
        messageId: letter?.messageId,
        destinations: expect.arrayContaining([expect.objectContaining({ stages: expect.any(Array) })]),
      }),
      expect.stringContaining('sluice_events_accepted_total{workspace="sample",source="web"} '),
    ])
  })

  it('shows a tour of testing transformations with the actual output of the commands', () => {
    const tour = join(folder, 'tour')
    mkdirSync(join(tour, 'bin'), { recursive: true })
    // The project as a user has it; without its own configuration, vitest would find that of this repository.
    symlinkSync(join(root, 'packages/sluice/bin/sluice.js'), join(tour, 'bin/sluice'))
    writeFileSync(join(tour, 'vitest.config.js'), asInstalled)
    const env = { ...process.env, PATH: `${join(tour, 'bin')}:${process.env['PATH']}` }
    let cwd = tour
    const commands = blocks('console').flatMap(consoleCommands)
    expect(commands.length).toBeGreaterThan(4)
    for (const { command, output } of commands) {
      const [, into] = /^cd (\S+)$/.exec(command) ?? []
      if (into !== undefined) cwd = join(cwd, into)
      else expect(runLine(command, cwd, env), command).toMatch(outputPattern(output))
    }
  })

  it('names only existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...readme.matchAll(/`(?:npm|pnpm) (?:run )?([a-z]+)/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(3)
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })

  it('lists every package', () => {
    const linked = [...readme.matchAll(/^\| \[([a-z-]+)\]\(packages\/\1\)/gm)].map((match) => match[1])
    expect(linked.toSorted()).toEqual(readdirSync(join(root, 'packages')).toSorted())
  })

  it('has at most 150 lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(150)
  })
})
