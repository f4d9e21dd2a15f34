import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { asInstalled } from '../support/processes/installed.ts'
import { codeBlocks } from '../support/texts/code-blocks.ts'

// Inside the test package, where imports of the packages resolve as they do after an installation.
const folder = join(import.meta.dirname, '../dist/test-files')
const started: RunningCommand[] = []
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function watch(cwd: string, env: NodeJS.ProcessEnv = {}): RunningCommand {
  const command = startCommand(['test', '--watch'], { cwd, env })
  started.push(command)
  return command
}

/** Without its own configuration vitest would find that of this repository in a parent folder. */
const empty = { 'package.json': '{"type":"module"}', 'vitest.config.js': asInstalled }

function project(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(folder, name)
  for (const [file, text] of Object.entries({ ...empty, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

const marking = 'export const transformEvent = (event) => ({ ...event, marked: true })\n'
const testOf = (body: string): string => `import { testTransformation } from '@sluice/testing'
import { test } from 'vitest'
const mark = testTransformation('mark.js')
test('marks', ${body}, 600_000)
`
const marks = testOf('() => mark.on({}).toEmit({ marked: true })')

/** Child processes as listed by Linux; the test files run in them. */
function childrenOf({ child }: RunningCommand): readonly number[] {
  const list = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return list.split(' ').filter(Boolean).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('test files', () => {
  it.concurrent('may take longer than vitest allows, because the first starts the engine; a limit of theirs counts', async () => {
    const limitIs = (ms: number): string => `import '@sluice/testing'
import { expect, test } from 'vitest'
test('limit', ({ task }) => expect(task.timeout).toBe(${ms}))
`
    const own = asInstalled.replace('{ test: {', '{ test: { testTimeout: 7_000,')
    project('patient', { 'tests/limit.test.js': limitIs(30_000) })
    project('limited', { 'tests/limit.test.js': limitIs(7_000), 'vitest.config.js': own })
    const { status, stdout } = await runCommand(['test', 'patient', 'limited', '--json'], { cwd: folder })
    const { tests } = JSON.parse(stdout) as { readonly tests: readonly { readonly outcome: string }[] }
    expect([status, tests.map(({ outcome }) => outcome)]).toEqual([0, ['passed', 'passed']])
  })

  it.concurrent('run again after every change of what they test, until Ctrl-C, which is not a failure', async () => {
    const root = project('watching', { 'transformations/mark.js': marking, 'tests/mark.test.js': marks })
    const watching = watch(root, { CI: '1' })
    await watching.printed(/Tests {2}1 passed[\s\S]*Save a file to run the affected tests; Ctrl-C ends\.\n$/)
    writeFileSync(join(root, 'transformations/mark.js'), marking.replace('true', 'false'))
    await watching.printed(/Tests {2}1 failed[\s\S]*1 failed, 0 passed[\s\S]*Ctrl-C ends\.\n$/)
    // Only the new file runs; the last line counts both, and the case in the folder.
    mkdirSync(join(root, 'tests/other/input'), { recursive: true })
    writeFileSync(join(root, 'tests/other/input/one.json'), '{}')
    writeFileSync(join(root, 'transformations/other.js'), marking)
    writeFileSync(join(root, 'tests/other.test.js'), marks.replace('mark.js', 'other.js'))
    const [text] = await watching.printed(
      /1 failed, 2 passed.*1 transformation, 2 test files.*\nNow run: (?:0|1) of 1 transformations, 1 of 2 test files\. Save .*\n$/,
    )
    expect(text).toBeTruthy()
    watching.child.kill('SIGINT')
    const { status, stdout } = await watching.ended
    expect(status).toBe(0)
    // Vitest neither clears the screen nor lists keys, because no keys are read.
    expect(stdout).not.toContain('\x1b')
    expect(stdout).not.toContain('press h')
  })

  it.concurrent('that hang are ended by Ctrl-C, and leave no process', async () => {
    const root = project('hanging', {
      'transformations/mark.js': marking,
      'tests/mark.test.js': `import { writeFileSync } from 'node:fs'\n${testOf('() => { writeFileSync("in-the-loop", ""); for (;;); }')}`,
    })
    const watching = watch(root)
    await eventually(() => existsSync(join(root, 'in-the-loop'))).toBe(true)
    const children = childrenOf(watching)
    expect(children).not.toEqual([])
    watching.child.kill('SIGINT')
    expect((await watching.ended).status).toBe(0)
    expect(children.filter(isAlive)).toEqual([])
  })

  it.concurrent('report differences as JSON too, and a filter that matches no test is an error', async () => {
    const root = project('reported', {
      'transformations/mark.js': marking,
      // With the limits that the command received.
      'tests/mark.test.js': testOf(
        'async () => { await mark.on({ a: "x".repeat(2000) }).toFail(/1024/); return mark.on({}).toEmit({ marked: false }) }',
      ),
    })
    const [reported, none] = await Promise.all([
      runCommand(['test', '--json', '--output', '1'], { cwd: root }),
      runCommand(['test', '--filter', 'refund'], { cwd: root }),
    ])
    const [failed] = (JSON.parse(reported.stdout) as { tests: { message: string }[] }).tests
    expect(failed?.message).toMatch(
      /^expected the transformation to emit 1 event\n[\s\S]*-.*"marked": false[\s\S]*\+.*"marked": true/,
    )
    expect([none.status, none.stderr]).toEqual([
      2,
      expect.stringContaining('--filter refund: no “transformation / case”'),
    ])
  })

  it.concurrent('of all kinds are counted, with the line of a failed case, and with what did not run and why', async () => {
    // One run shows all of this: each start of vitest takes three seconds of processor time.
    const readme = readFileSync(join(import.meta.dirname, '../../packages/testing/README.md'), 'utf8')
    const answer = { method: 'GET', url: 'https://api.test/users/u1', status: 200, headers: {}, reply: { plan: 'pro' } }
    const root = project('kinds', {
      'transformations/mark.js': marking,
      // The matchers need no import.
      'tests/mark.test.js': `import { testTransformation } from '@sluice/testing'
import { expect, test } from 'vitest'
const mark = testTransformation('mark.js')
test('marks', () => expect(mark.on({})).toEmit({ marked: true }))
`,
      'tests/table.test.js': `import { testTransformation } from '@sluice/testing'
import { testCases } from '@sluice/testing/vitest'

testCases(testTransformation('mark.js'), [
  { name: 'row', on: {}, emits: {} },
])
`,
      'transformations/plan.ts': `export async function transformEvent(event: IdentifyEvent) {
  if (!event.userId) return log('no id')
  const { body } = await fetchV2('https://api.test/users/' + event.userId)
  return { ...event, plan: body.plan }
}`,
      'tests/plan.test.ts': codeBlocks(readme, 'ts').find((block) => block.includes('testCases(')) ?? '',
      'tests/plan.fetch.json': JSON.stringify([answer]),
      'tests/stray.test.js': testOf("() => { Promise.reject(new Error('unawaited')) }"),
      'other/mark.test.js': marks,
      'vitest.config.js': asInstalled.replace('test: {', "test: { include: ['tests/**'],"),
    })
    const { status, stdout, stderr } = await runCommand(['test'], { cwd: root })
    // Passed: one of `mark`, the two of the README, and one of `stray`, whose error no test waits for: it fails the run,
    // and is not counted as a file.
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^2 failed, 1 not run, 4 passed {2}.*, 4 test files, \d+ ms/m),
    ])
    expect(stdout).toMatch(/not run {2}other\/mark\.test\.js: the configuration of vitest excludes it/)
    expect(stderr).toMatch(/ tests\/table\.test\.js:4:1\n/)
    expect(stderr).toContain('unawaited')
  })

  it.concurrent('that vitest cannot start are reported as not run, with the reason', async () => {
    const root = project('not-started', {
      'transformations/mark.js': marking,
      'tests/mark.test.js': marks,
      'vitest.config.js': "throw new Error('no such plugin')",
    })
    const { status, stdout } = await runCommand(['test'], { cwd: root })
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/not run {2}tests\/mark\.test\.js: vitest could not be started: no such plugin\n/),
    ])
  })
})
