import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/command.ts'

const events = Array.from({ length: 20 }, (_, n) => ({
  type: 'track',
  event: 'Bought',
  userId: `user-${n}`,
  context: { traits: { email: `ann${n}@shop.example` } },
  properties: { total: n, ...(n % 4 === 0 ? {} : { coupon: 'SPRING' }) },
}))

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-from-traffic-'))
  mkdirSync(join(cwd, 'transformations'))
  mkdirSync(join(cwd, 'node_modules'))
  writeFileSync(join(cwd, 'events.ndjson'), `${events.map((event) => JSON.stringify(event)).join('\n')}\nno JSON\n`)
})
afterEach(() => rmSync(cwd, { recursive: true }))

/** Links the fast-check of these tests into the project. */
function installFastCheck(): void {
  const manifest = createRequire(import.meta.url).resolve('fast-check/package.json')
  symlinkSync(dirname(manifest), join(cwd, 'node_modules', 'fast-check'))
}
const write = (body: string) =>
  writeFileSync(
    join(cwd, 'transformations', 'own.js'),
    `export function transformEvent(event) {\n  ${body}\n  return event\n}\n`,
  )
const test = (...args: readonly string[]) =>
  runCommand(['test', '--from-traffic', 'events.ndjson', ...args], { cwd, env: { NODE_PATH: '' } })

describe('sluice test --from-traffic', () => {
  it('passes code that keeps the laws, and says what was tried', async () => {
    installFastCheck()
    write('event.seen = true')
    const { status, stdout } = await test('--runs', '30')
    expect([status, stdout]).toEqual([
      0,
      'ok      own / track Bought: 30 runs; none may be dropped, because none of 20 recorded ones was\n',
    ])
    expect(existsSync(join(cwd, 'tests'))).toBe(false)
  })

  it('shows the smallest event that breaks a law, saves it as a case, and fails; the case fails until the code is mended', async () => {
    installFastCheck()
    write('event.properties.coupon.toLowerCase()')
    const { status, stdout } = await test('--seed', '1')
    expect(status).toBe(1)
    expect(stdout).toMatch(/^broken {2}own \/ track Bought: never throws$/m)
    expect(stdout).toContain('again: --seed 1, path ')
    expect(stdout).not.toMatch(/ann\d+@shop/)
    const [file = ''] = readdirSync(join(cwd, 'tests', 'own', 'input'))
    expect(stdout).toContain(`saved as tests/own/input/${file}`)
    const saved = JSON.parse(readFileSync(join(cwd, 'tests', 'own', 'input', file), 'utf8'))
    expect(saved.properties).not.toHaveProperty('coupon')
    expect((await runCommand(['test'], { cwd })).status).toBe(1)
    write('event.properties.coupon?.toLowerCase()')
    expect((await runCommand(['test'], { cwd })).status).toBe(0)
    expect((await test()).status).toBe(0)
  })

  it('finds personal data that is sent, and prints JSON', async () => {
    installFastCheck()
    write('event.note = event.context.traits.email')
    const webhook = ['--destination', 'webhook', '--settings', '{"webhookUrl":"https://hook.test/in"}']
    const { status, stdout } = await test('--json', '--personal', 'context.traits.email', ...webhook)
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      reports: [
        {
          transformation: 'own',
          model: 'track Bought',
          broken: { law: 'leaks no personal data', reason: 'context.traits.email is sent' },
          savedAs: expect.stringContaining('leaks-no-personal-data'),
        },
      ],
    })
  })

  it('says what is missing: fast-check, the file, or a number', async () => {
    write('')
    expect(await test()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npm install --save-dev fast-check'),
    })
    expect(await test('--runs', 'many')).toMatchObject({ status: 2, stderr: expect.stringContaining('whole number') })
    rmSync(join(cwd, 'events.ndjson'))
    expect(await test()).toMatchObject({ status: 2, stderr: expect.stringContaining('events.ndjson cannot be read') })
  })
})
