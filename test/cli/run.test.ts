import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

const bin = join(import.meta.dirname, '../../packages/sluice/bin/sluice.js')
let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-run-'))
  const events = [
    { type: 'track', event: 'Keep', messageId: 'm0', userId: 'u' },
    { type: 'track', event: 'Drop', messageId: 'm1', userId: 'u' },
    { type: 'track', event: 'Throw', messageId: 'm2', userId: 'u' },
    { type: 'track', event: 'Twice', messageId: 'm3', anonymousId: 'a' },
    { type: 'track', messageId: 'm4' },
  ]
  writeFileSync(
    join(cwd, 'events.ndjson'),
    [...events.map((event) => JSON.stringify(event)), '', 'not json', ''].join('\n'),
  )
  writeFileSync(
    join(cwd, 'code.js'),
    `import { mark } from 'marks'
export function transformEvent(event) {
  if (event.event === 'Drop') return null
  if (event.event === 'Throw') {
    log('thrown soon', event.messageId)
    return event.properties.value
  }
  return event.event === 'Twice' ? [mark(event), event] : mark(event)
}`,
  )
  writeFileSync(join(cwd, 'marks.js'), 'export const mark = (event) => ({ ...event, marked: true })')
  writeFileSync(join(cwd, 'broken.js'), 'export function transformEvent(event) {\n  return {{\n}')
})

afterAll(() => rmSync(cwd, { recursive: true }))

const lines = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('sluice run', () => {
  it('prints one line per event with the output of the transformation', async () => {
    const args = ['run', '--events', 'events.ndjson', '--transformation', 'code.js', '--library', 'marks=marks.js']
    const { status, stdout, stderr } = await runCommand(args, { cwd })
    expect(status).toBe(1)
    expect(lines(stdout)).toEqual([
      {
        index: 0,
        messageId: 'm0',
        outcome: 'passed',
        output: [expect.objectContaining({ event: 'Keep', marked: true })],
      },
      { index: 1, messageId: 'm1', outcome: 'dropped', reason: expect.any(String) },
      {
        index: 2,
        messageId: 'm2',
        outcome: 'failed',
        error: expect.objectContaining({
          code: 'transform.threw',
          message: expect.stringContaining("reading 'value'"),
        }),
        line: 3,
      },
      {
        index: 3,
        messageId: 'm3',
        outcome: 'passed',
        output: [expect.objectContaining({ marked: true }), expect.anything()],
      },
      { index: 4, messageId: 'm4', outcome: 'rejected', reason: 'request neither has anonymousId nor userId', line: 5 },
      { index: 5, messageId: null, outcome: 'rejected', reason: expect.stringMatching(/^not JSON: ./), line: 7 },
    ])
    expect(stderr).toMatch(
      /^log: thrown soon m2\nevents\.ndjson:3 failed: TypeError: .*\nevents\.ndjson:5 rejected: .*\nevents\.ndjson:7 rejected: not JSON: .*\nsluice explain transform\.threw .*\n6 events: 2 passed, 1 dropped, 1 failed, 2 rejected {2}[\d.]+ s\n$/,
    )
  })

  it('reads events from standard input, and ends without a message when its reader has gone', async () => {
    const event = '{"type":"track","event":"Keep","userId":"u"}\n'
    writeFileSync(join(cwd, 'many.ndjson'), event.repeat(20_000))
    const bash = (script: string) =>
      promisify(execFile)('bash', ['-c', script], { cwd, env: { ...process.env, event, bin } })
    const piped = await bash('printf "$event$event" | node "$bin" run --events -')
    expect(lines(piped.stdout).map(({ index, outcome }) => [index, outcome])).toEqual([
      [0, 'passed'],
      [1, 'passed'],
    ])
    expect(piped.stderr).toMatch(/^2 events: 2 passed, 0 dropped, 0 failed, 0 rejected {2}[\d.]+ s\n$/)
    const cut = await bash('node "$bin" run --events many.ndjson | head -n 1; echo "$PIPESTATUS"')
    expect(cut).toEqual({ stdout: expect.stringMatching(/^\{"index":0.*\n141\n$/), stderr: '' })
  })

  it('prints the requests a destination would receive, and sends none', async () => {
    writeFileSync(join(cwd, 'hook.json'), JSON.stringify({ webhookUrl: 'http://127.0.0.1:1/hook' }))
    const args = ['run', '--events', 'events.ndjson', '--destination', 'webhook', '--settings', '@hook.json']
    const { stdout } = await runHosted(args, { cwd })
    expect(lines(stdout)[0]).toMatchObject({
      outcome: 'passed',
      requests: [{ method: 'POST', endpoint: 'http://127.0.0.1:1/hook', body: { JSON: { messageId: 'm0' } } }],
    })
  })

  const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a missing file', ['run', '--events', 'nowhere.ndjson'], /nowhere\.ndjson cannot be read/],
    [
      'code that cannot be parsed',
      ['run', '--events', 'events.ndjson', '--transformation', 'broken.js'],
      /broken\.js:2/,
    ],
    [
      'a missing library',
      ['run', '--events', 'events.ndjson', '--transformation', 'code.js'],
      /import from marks failed\. Module not found\./,
    ],
    [
      'a library without a file',
      ['run', '--events', 'events.ndjson', '--transformation', 'code.js', '--library', 'marks'],
      /NAME=FILE/,
    ],
    [
      'an unknown destination',
      ['run', '--events', 'events.ndjson', '--destination', 'nope'],
      /allowed: one of .*WEBHOOK/,
    ],
    ['settings that do not match', ['run', '--events', 'events.ndjson', '--destination', 'webhook'], /webhookUrl/],
    [
      'a missing settings file',
      ['run', '--events', 'events.ndjson', '--destination', 'webhook', '--settings', '@no.json'],
      /--settings @no\.json: the file cannot be read \(ENOENT\)/,
    ],
    [
      'settings that are not JSON',
      ['run', '--events', 'events.ndjson', '--destination', 'webhook', '--settings', '{'],
      /--settings is not JSON/,
    ],
  ]
  for (const [name, args, text] of mistakes) {
    it(`says what to do about ${name}`, async () => {
      const { status, stdout, stderr } = await runHosted(args, { cwd })
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(text)
      expect(stderr).not.toMatch(/\n +at .*node_modules|dist\//)
    })
  }

  it('exits with 1 when it gets no events', async () => {
    const { status, stdout, stderr } = await runCommand(['run'], { cwd })
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('--events')])
  })
})

describe('sluice token create', () => {
  it('prints a token once, with the hash that belongs in the workspace file', async () => {
    const { status, stdout } = await runCommand(['token', 'create', '--json', '--name', 'ci'], { cwd })
    const { token, hash, name } = JSON.parse(stdout)
    expect([status, name, hash]).toEqual([0, 'ci', `sha256:${createHash('sha256').update(token).digest('hex')}`])
  })
})

describe('sluice --help', () => {
  it('lists the existing commands', async () => {
    const { status, stdout } = await runCommand(['--help'], { cwd })
    expect(status).toBe(0)
    for (const command of ['serve', 'run', 'token']) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
  })
})
