import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../support/eventually.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const template = join(import.meta.dirname, '../../packages/sluice/template')

let cwd: string
let receiver: Receiver
const started: RunningCommand[] = []

const workspace = (more = ''): string => `id: shop
sources: [{ id: web, writeKey: web-key }]
destinations:
  - id: hook
    type: WEBHOOK
    settings: { webhookUrl: "${receiver.url}/in" }
    transformation: { name: orders, file: transformations/orders.ts }
connections: [{ source: web, destination: hook }]
libraries: [{ name: money, file: libraries/money.ts }]
${more}`

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-dev-'))
  cpSync(template, cwd, { recursive: true })
  rmSync(join(cwd, 'tests/orders.test.ts'))
  receiver = await startReceiver()
  writeFileSync(join(cwd, 'workspace.yaml'), workspace())
})
afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  await receiver.close()
  rmSync(cwd, { recursive: true })
})

interface Entry {
  readonly kind: string
  readonly [name: string]: unknown
}

/** Waits until something is there, and returns it. */
async function seen<T>(find: () => T | undefined): Promise<T> {
  let found: T | undefined
  await until(() => {
    found = find()
    return found !== undefined
  })
  return found as T
}

/** Starts the command, and returns what reads its lines and sends events. */
async function dev(...args: readonly string[]) {
  const command = startCommand(['dev', '--port', '0', '--json', ...args], { cwd })
  started.push(command)
  let text = ''
  command.child.stdout?.on('data', (chunk: string) => {
    text += chunk
  })
  const entries = (): readonly Entry[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Entry)
  /** Waits for another entry of a kind than those that were there before. */
  const next = async (kind: string, act: () => void = () => {}): Promise<Entry> => {
    const of = (): readonly Entry[] => entries().filter((each) => each.kind === kind)
    const before = of().length
    act()
    return seen(() => of()[before])
  }
  const first = (kind: string): Promise<Entry> => seen(() => entries().find((each) => each.kind === kind))
  /** Sends an order, and returns what the destination got. */
  const order = async (): Promise<unknown> => {
    const { url } = await first('serving')
    const before = receiver.received.length
    const event = { userId: 'u1', event: 'Order Placed', properties: { total: 42, currency: 'EUR' } }
    const response = await fetch(`${url}/v1/track`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('web-key:')}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    expect(response.status).toBe(200)
    const got = await seen(() => receiver.received[before])
    return JSON.parse(got.body).properties
  }
  return { command, entries, next, first, order }
}

/** Replaces a part of a file. */
function edit(file: string, from: string, to: string): void {
  const path = join(cwd, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

describe('sluice dev', () => {
  it('runs a saved change of the code, of a library and of the workspace from the next event on', async () => {
    const { command, first, next, order, entries } = await dev('--no-test')
    await first('live')
    expect(await order()).toMatchObject({ cents: 4200 })
    const ofCode = await next('live', () =>
      edit('transformations/orders.ts', 'toCents(total, currency)', 'toCents(total, currency) + 1'),
    )
    expect(ofCode).toMatchObject({ changed: ['transformations/orders.ts'], timeMs: expect.any(Number) })
    expect(await order()).toMatchObject({ cents: 4201 })
    expect(await next('live', () => edit('libraries/money.ts', '* 100', '* 1000'))).toMatchObject({
      changed: ['libraries/money.ts'],
    })
    expect(await order()).toMatchObject({ cents: 42_001 })
    const ofFile = await next('live', () =>
      edit(
        'workspace.yaml',
        'name: orders, file: transformations/orders.ts',
        "name: n, code: 'export const transformEvent = (event) => ({ ...event, properties: { n: 1 } })'",
      ),
    )
    expect(ofFile).toMatchObject({ changed: ['workspace.yaml'] })
    expect(await order()).toEqual({ n: 1 })
    const delivered = (): readonly Entry[] => entries().filter((each) => each['outcome'] === 'delivered')
    await seen(() => delivered()[3])
    command.child.kill('SIGINT')
    const { status, stderr } = await command.ended
    expect([status, stderr]).toEqual([0, ''])
    // What a server would refuse is said once, with the flag.
    const warnings = entries().filter(({ kind }) => kind === 'log')
    expect(warnings).toEqual([
      expect.objectContaining({ level: 'warn', text: expect.stringContaining('--allow-address localhost') }),
    ])
  })

  it('shows the error that the code threw', async () => {
    const { first, entries } = await dev('--no-test')
    const { url } = await first('serving')
    await fetch(`${url}/v1/track`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('web-key:')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userId: 'u1', event: 'Order Placed' }),
    })
    expect(await seen(() => entries().find((each) => each['outcome'] === 'failed'))).toMatchObject({
      code: 'transform.threw',
      reason: 'Error: an order needs total and currency',
    })
  })

  it('keeps what ran before a mistake, says where the mistake is, and continues when it is mended', async () => {
    const { first, next, order } = await dev('--no-test')
    await first('live')
    const code = readFileSync(join(cwd, 'transformations/orders.ts'), 'utf8')
    const ofCode = await next('problem', () => edit('transformations/orders.ts', 'const { email', 'const { email,,'))
    expect(ofCode['text']).toContain('transformations/orders.ts:12:17 destinations[0].transformation')
    expect(await order()).toMatchObject({ cents: 4200 })
    await next('live', () => writeFileSync(join(cwd, 'transformations/orders.ts'), code))
    const ofFile = await next('problem', () => edit('workspace.yaml', 'WEBHOOK', 'WEBHOK'))
    expect(ofFile['text']).toMatch(/workspace\.yaml:5:11 destinations\[0\]\.type: got "WEBHOK"/)
    expect(await order()).toMatchObject({ cents: 4200 })
    await next('live', () => edit('workspace.yaml', 'WEBHOK', 'WEBHOOK'))
    const ofText = await next('problem', () => edit('workspace.yaml', 'sources: [{', 'sources: [{{'))
    expect(ofText['problems']).toContainEqual(
      expect.objectContaining({ place: { file: 'workspace.yaml', line: 2, column: expect.any(Number) } }),
    )
    await next('live', () => edit('workspace.yaml', 'sources: [{{', 'sources: [{'))
    // A file that does not exist yet is waited for too.
    const ofMissing = await next('problem', () =>
      edit('workspace.yaml', 'file: libraries/money.ts', 'file: libraries/cash.ts'),
    )
    expect(ofMissing['text']).toContain('libraries/cash.ts')
    await next('live', () => writeFileSync(join(cwd, 'libraries/cash.ts'), 'export const toCents = () => 7'))
    expect(await order()).toMatchObject({ cents: 7 })
  })

  it('waits for the first workspace that can run', async () => {
    edit('workspace.yaml', 'WEBHOOK', 'WEBHOK')
    const { first, next, order, entries } = await dev('--no-test')
    await first('problem')
    expect(entries().map(({ kind }) => kind)).toEqual(['problem'])
    await next('live', () => edit('workspace.yaml', 'WEBHOK', 'WEBHOOK'))
    expect(await order()).toMatchObject({ cents: 4200 })
  })

  it('runs the tests, and those that a change affects again', async () => {
    const { first, next } = await dev()
    expect(await first('tests')).toMatchObject({ passed: 1, failed: 0 })
    const failed = await next('tests', () =>
      edit('transformations/orders.ts', 'toCents(total, currency)', 'toCents(total, currency) + 1'),
    )
    expect(failed).toMatchObject({ passed: 0, failed: 1, text: expect.stringContaining('+       "cents": 1991') })
    const mended = await next('tests', () =>
      edit('transformations/orders.ts', 'toCents(total, currency) + 1', 'toCents(total, currency)'),
    )
    expect(mended).toMatchObject({ passed: 1, failed: 0 })
  })

  it('keeps events in a folder on request, and says what it cannot run', async () => {
    const first = await dev('--no-test', '--data', 'kept')
    await first.first('live')
    await first.order()
    first.command.child.kill('SIGTERM')
    expect((await first.command.ended).status).toBe(0)
    expect(readFileSync(join(cwd, 'kept/sluice.db')).length).toBeGreaterThan(0)

    const missing = await runCommand(['dev', 'gone.yaml'], { cwd })
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('gone.yaml: there is no such file')])
    const other = await dev('--no-test')
    const { url } = await other.first('serving')
    const taken = await runCommand(['dev', '--no-test', '--port', new URL(String(url)).port], { cwd })
    expect([taken.status, taken.stderr]).toEqual([1, expect.stringContaining('--port')])
  })

  it('prints lines of text where there is no terminal, and opens no browser', async () => {
    const command = startCommand(['dev', '--port', '0', '--no-test'], { cwd })
    started.push(command)
    await command.printed(/^live {2}the workspace runs/m)
    const [, url] = await command.printed(/^Serving on (\S+), events in memory\nStudio: \S+\/studio\/$/m)
    expect(url).toMatch(/^http:/)
    await command.printed(/^ {2}curl -u web-key: .*\/v1\/track$/m)
    command.child.kill('SIGINT')
    const { status, stdout } = await command.ended
    expect(status).toBe(0)
    expect(stdout).not.toContain('\x1b')
    expect(stdout).not.toContain('#code=')
  })
})
