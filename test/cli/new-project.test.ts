import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** This test run's environment minus what a new user does not have; colours must not be off only because of CI. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_|NO_COLOR|FORCE_COLOR|SLUICE_)/.test(name)),
  ),
  CI: '1',
}

function run(cwd: string, command: string, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(command, [...args], { cwd, env, timeout: 60_000 }, (_, stdout, stderr) =>
      done({ status: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Runs a script as the user would. */
let folder: string
const sluice = (cwd: string, ...args: readonly string[]): Promise<Ended> =>
  run(cwd, join(folder, 'node_modules/.bin/sluice'), args)
const pnpm = async (cwd: string, ...args: readonly string[]): Promise<void> => {
  const { status, stdout, stderr } = await run(cwd, 'npx', ['--yes', packageManager, ...args])
  if (status !== 0) throw new Error(`pnpm ${args.join(' ')}: status ${status}\n${stdout}\n${stderr}`)
}
const install = (): Promise<void> =>
  pnpm(folder, 'install', '--prefer-offline', '--ignore-scripts', '--no-frozen-lockfile')

beforeAll(async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'sluice-new-'))
  const packed = join(temporary, 'packed')
  // Many users have a folder with a space in its name.
  folder = join(temporary, 'new project')
  mkdirSync(folder)
  await pnpm(root, '-r', '--filter', './packages/*', 'pack', '--pack-destination', packed)
  const overrides = Object.fromEntries(
    readdirSync(packed).map((file) => {
      const name = file.replace(/-\d+\.\d+\.\d+\.tgz$/, '').replace(/^sluice-/, '@sluice/')
      return [name, `file:${join(packed, file)}`]
    }),
  )
  // The registry does not have our packages; the tarballs replace them.
  const manifest = { pnpm: { overrides }, devDependencies: { sluice: '*' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
}, 90_000)
afterAll(() => rmSync(resolve(folder, '..'), { recursive: true, force: true }))

// Each test waits for processes. They do not all run at once, because user code that gets no processor for a second is
// considered hung.
describe('a new user', { timeout: 90_000 }, () => {
  beforeAll(async () => {
    // What \`npx sluice init\` runs, before anything is installed here.
    const init = (): Promise<Ended> =>
      run(folder, process.execPath, [join(root, 'packages/sluice/bin/sluice.js'), 'init'])
    const { status, stdout, stderr } = await init()
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/transformations\/orders\.ts[\s\S]*Now: npm install && npm test\n$/)
    const before = readFileSync(join(folder, 'transformations/orders.ts'), 'utf8')
    const again = await init()
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('--force')])
    expect(readFileSync(join(folder, 'transformations/orders.ts'), 'utf8')).toBe(before)
    await install()
    // Nothing here may need the driver of SQLite: as on a system without a binary, or with an older Node without a compiler.
    const modules = join(folder, 'node_modules/.pnpm')
    for (const name of readdirSync(modules).filter((each) => each.startsWith('better-sqlite3@')))
      rmSync(join(modules, name, 'node_modules/better-sqlite3/prebuilds'), { recursive: true, force: true })
  }, 60_000)

  it.concurrent('has types for events and helpers', async () => {
    expect(await run(folder, join(folder, 'node_modules/.bin/tsc'), ['-p', '.'])).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
    expect(readFileSync(join(folder, 'transformations/orders.ts'), 'utf8')).toContain('TrackEvent<Order>')
  })

  it('has tests that pass, shows how many, and gets a report for CI, all without colours', async () => {
    const flags = ['--coverage', '--lcov', 'lcov.info', '--reporter', 'junit', '--out', 'junit.xml']
    const { status, stdout } = await run(folder, 'npm', ['test', '--', ...flags])
    expect(status, stdout).toBe(0)
    expect(stdout).toMatch(/^ {2}✓ paid-in-euro/m)
    expect(stdout).toMatch(/^5 passed {2}1 transformation, 1 test file/m)
    // Only a test file knows a currency without cents.
    expect(stdout).toMatch(/^libraries\/money\.ts +100\.0 % +100\.0 %/m)
    expect(stdout).toMatch(/^transformations\/orders\.ts +100\.0 %/m)
    expect(stdout).not.toContain('\x1b')
    expect(readFileSync(join(folder, 'lcov.info'), 'utf8')).toMatch(/^SF:.*libraries\/money\.ts$/m)
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toMatch(
      /<testsuites [^>]*failures="0"[\s\S]*name="paid-in-euro"[\s\S]*name="drops test orders"/,
    )
  })

  it.concurrent('sees for a mistake what differs, where it is and what was logged, wherever the command is started', async () => {
    const broken = beside('broken')
    expect((await sluice(folder, 'init', broken)).status).toBe(0)
    // An installed command asks for versions, one in a checkout for folders.
    expect(JSON.parse(readFileSync(join(broken, 'package.json'), 'utf8')).devDependencies).toMatchObject({
      sluice: expect.stringMatching(/^\^\d/),
      '@sluice/testing': expect.stringMatching(/^\^\d/),
    })
    edit(join(broken, 'libraries/money.ts'), 'Math.round(amount * 100)', 'Math.floor(amount * 100)')
    const input = { type: 'track', event: 'Order Placed', messageId: 'm-7', properties: { total: 1 } }
    writeFileSync(join(broken, 'tests/orders/input/no-currency.json'), JSON.stringify(input))
    const { status, stdout, stderr } = await sluice(resolve(folder, '..'), 'test', 'broken')
    expect(status).toBe(1)
    for (const part of [
      '-       "cents": 1990,\n    +       "cents": 1989,',
      'transformations/orders.ts:16:',
      "    16 |     throw new Error('an order needs total and currency')\n       |                    ^",
      'log\n    an order without total or currency m-7',
      '3 failed, 3 passed',
    ])
      expect(stdout).toContain(part)
    // There vitest reports its tests, with the line of the test and no internal stack frame.
    expect(stderr).toContain('❯ tests/orders.test.ts:')
    expect(stderr).not.toContain('node_modules')
  })

  it('records an API reply once, and tests without the API from then on', async () => {
    const fetching = beside('fetching')
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.setHeader('content-type', 'application/json').end('{"plan":"pro"}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/users/`
    mkdirSync(join(fetching, 'transformations'), { recursive: true })
    writeFileSync(join(fetching, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(fetching, 'transformations/plan.ts'),
      `export async function transformEvent(event: IdentifyEvent) {
  const { body } = await fetchV2('${url}' + event.userId)
  return { ...event, plan: body.plan }
}`,
    )
    const network = `{ allow: ['127.0.0.1'], allowAddresses: ['127.0.0.0/8'] }`
    writeFileSync(
      join(fetching, 'plan.test.ts'),
      `import { testTransformation } from '@sluice/testing'
import { test } from 'vitest'
const u1 = { type: 'identify', userId: 'u1' }
test('plan', () => testTransformation('plan.ts').withFetch('answers.json', ${network}).on(u1).toEmit({ ...u1, plan: 'pro' }))
test('refused', () => testTransformation('plan.ts').withFetch('none.json').on(u1).toEmit(u1))`,
    )
    const recorded = await sluice(folder, 'test', fetching, '--record', '--json')
    const tests = (ended: Ended) =>
      (JSON.parse(ended.stdout) as { tests: { name: string; outcome: string; message?: string }[] }).tests
    expect(tests(recorded)).toEqual([
      expect.objectContaining({ name: 'plan', outcome: 'passed' }),
      expect.objectContaining({
        name: 'refused',
        outcome: 'failed',
        message: expect.stringMatching(/users\/u1 cannot be recorded: .*unless the second argument of withFetch /),
      }),
    ])
    server.close()
    expect(JSON.parse(readFileSync(join(fetching, 'answers.json'), 'utf8'))).toEqual([
      expect.objectContaining({ method: 'GET', url: `${url}u1`, status: 200 }),
    ])
    const replayed = await sluice(fetching, 'test', '--json', '--filter', 'plan')
    expect([replayed.status, asked, tests(replayed)[0]?.outcome]).toEqual([0, 1, 'passed'])
  })

  it.concurrent('learns what to do when a server needs the driver of SQLite, which has no binary here', async () => {
    writeFileSync(join(folder, 'w.json'), JSON.stringify({ id: 'w', sources: [], destinations: [], connections: [] }))
    const { status, stderr } = await sluice(folder, 'serve', '--workspace', 'w.json', '--port', '0', '--data', 'data')
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^sluice: the store on disk needs better-sqlite3, which (?:is not compiled|has no binary) for .* apt-get install g\+\+ make python3\n.*\nOr keep the store in memory or in PostgreSQL\.\n$/s,
      ),
    ])
  })

  it.concurrent('tries the transformation out, runs a file of events through it, and measures it', async () => {
    const code = 'transformations/orders.ts'
    const typed = run(
      folder,
      join(folder, 'node_modules/.bin/sluice'),
      ['repl', code, '--events', 'events/orders.ndjson'],
      '1\n{type: track, event: "Order Placed", messageId: m9}\n',
    )
    const ran = sluice(folder, 'run', '--events', 'events/orders.ndjson', '--transformation', code)
    const cell = ['--time', '10', '--batches', '10', '--isolation', 'batch', '--in-process']
    // A slow answer on a busy machine does not mean hung code.
    const patient = ['--event-time', '20000', '--batch-time', '20000']
    const measured = sluice(folder, 'bench', code, '--events', 'events/orders.ndjson', ...cell, ...patient)
    const { stdout } = await typed
    expect(stdout).toContain('"cents": 96')
    expect(stdout).toMatch(/log: an order without total or currency m9\nError: an order needs total and currency/)
    const outcomes = (await ran).stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { outcome: string }).outcome)
    expect([outcomes.length, new Set(outcomes)]).toEqual([200, new Set(['passed', 'dropped'])])
    // Within the time limit, a busy machine runs fewer than all.
    expect((await measured).stdout).toMatch(/200 events(?: run)?, \d+ passed, [0-7] dropped, 0 failed[\s\S]*→ batch 10/)
  })
})

/** A separate project with the same packages installed. */
function beside(name: string): string {
  const project = join(folder, '..', name)
  mkdirSync(project)
  symlinkSync(join(folder, 'node_modules'), join(project, 'node_modules'))
  return project
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}
