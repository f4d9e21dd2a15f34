import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a project with these files. @returns its folder. */
function project(name: string, files: Readonly<Record<string, unknown>>): string {
  const root = join(folder, name)
  mkdirSync(join(root, '.git'), { recursive: true })
  for (const [file, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), typeof value === 'string' ? value : JSON.stringify(value))
  }
  return root
}
// The environment of this test run may have its own vitest on the path.
const env = { NO_COLOR: '', NODE_PATH: '' }
const test = (cwd: string, ...args: readonly string[]) => runHosted(['test', ...args], { cwd, env })
const testProcess = (cwd: string, ...args: readonly string[]) => runCommand(['test', ...args], { cwd, env })

const order = { type: 'track', event: 'Order', userId: 'u', properties: { email: 'ada@example.com' } }
const masking = `import { hide } from 'pii'
export function transformEvent(event) {
  log('masking', event.event)
  return { ...event, properties: { email: hide(event.properties.email) } }
}`
const hiding = `export function hide(email: string): string {\n  return email.replace(/^.*@/, '***@')\n}`
const masked = { ...order, properties: { email: '***@example.com' } }
const shop = {
  'transformations/mask.ts': masking,
  'transformations/count.js': 'export const transformBatch = (events) => events.slice(0, 1)',
  'libraries/pii.ts': hiding,
  'tests/mask/input/order.json': [order],
  'tests/mask/output/order.json': [masked],
  'tests/count/input/two.json': [order, order],
  'tests/count/output/two.json': order,
}
const webhook = ['--destination', 'webhook', '--settings', JSON.stringify({ webhookUrl: 'https://hook.test/in' })]

describe('sluice test', () => {
  it('runs the cases of a project and shows the result of each', async () => {
    const unused = { 'libraries/unused.ts': 'export const never = (): number => 1\n' }
    const { status, stdout, stderr } = await testProcess(project('passing', { ...shop, ...unused }), '--coverage')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^mask {2}transformations\/mask\.ts\n {2}✓ order {2}1 event, \d+ ms$/m)
    expect(stdout).toMatch(/^2 passed {2}2 transformations, \d+ ms$/m)
    // Coverage: code that no test runs must be visible.
    expect(stdout).toMatch(/^libraries\/unused\.ts +0\.0 %/m)
    expect(stdout).toMatch(/^libraries\/pii\.ts +100\.0 %/m)
    // Colours are only for terminals.
    expect(stdout).not.toContain('\x1b')
  })

  it('shows for a failure what differs, where the error comes from, and what was logged', async () => {
    const failing = {
      ...shop,
      'tests/mask/output/order.json': [{ ...masked, event: 'Refund' }],
      'tests/mask/input/throws.json': { ...order, properties: { email: 1 } },
    }
    const root = project('failing', failing)
    const { status, stdout } = await test(root, 'transformations/mask.ts')
    expect(status).toBe(1)
    for (const part of [
      '✗ mask / order\n  output is not what tests/mask/output/order.json expects  - expected + actual\n  @@ [0].event @@',
      '    -     "event": "Refund",\n    +     "event": "Order",',
      '  log\n    masking Order',
      '✗ mask / throws\n  event [0] failed in the transformation\n    TypeError: email.replace is not a function',
      '    2 |   return email.replace(',
      '2 failed, 0 passed',
    ])
      expect(stdout).toContain(part)
    expect(stdout).toMatch(/libraries\/pii\.ts:2:(\d+)\n.*\n +\| +\^$/m)
    // A library is tested with the transformations that import it.
    const bailed = await test(root, 'libraries', '--bail', '--json')
    expect([bailed.status, JSON.parse(bailed.stdout)]).toEqual([
      1,
      expect.objectContaining({
        passed: false,
        libraries: [{ name: 'pii', file: 'libraries/pii.ts' }],
        counts: { passed: 0, failed: 1, updated: 0, skipped: 0, brokenLibraries: 0, notRun: 0 },
        cases: [
          expect.objectContaining({
            transformation: 'mask',
            name: 'order',
            status: 'failed',
            log: ['masking Order'],
            problems: [
              expect.objectContaining({
                kind: 'output',
                file: 'tests/mask/output/order.json',
                diff: expect.objectContaining({ paths: ['[0].event'] }),
              }),
            ],
          }),
        ],
      }),
    ])
  })

  it('writes the expected values on --update, also for the requests of a destination', async () => {
    const root = project('updating', { ...shop, 'tests/mask/output/order.json': [] })
    const updated = await test(root, '--update', ...webhook)
    expect(updated.status).toBe(0)
    expect(updated.stdout).toContain('wrote tests/mask/webhook/order.json')
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
    expect(read('tests/mask/output/order.json')).toEqual([masked])
    expect(read('tests/mask/webhook/order.json')).toEqual([
      expect.objectContaining({ endpoint: 'https://hook.test/in', body: { JSON: masked } }),
    ])
    // The settings are part of the path from event to request.
    const moved = await test(root, ...webhook.slice(0, 3), JSON.stringify({ webhookUrl: 'https://other.test/in' }))
    expect(moved.status).toBe(1)
    expect(moved.stdout).toContain(
      '-     "endpoint": "https://hook.test/in",\n    +     "endpoint": "https://other.test/in",',
    )
  })

  it('writes a JUnit report that parsers can read, prints a summary too, and reports what is not run in both', async () => {
    const root = project('junit', {
      ...shop,
      'tests/mask/output/order.json': [{ ...masked, event: '<&">\u0001' }],
      'libraries/broken.js': 'export const a = (',
      'tests/mask.test.ts': "import '@sluice/testing'",
    })
    const { status, stdout } = await testProcess(root, '--reporter', 'junit', '--out', 'report.xml')
    expect([status, stdout]).toEqual([1, expect.stringMatching(/1 failed, 1 broken library, 1 not run, 1 passed/)])
    const xml = readFileSync(join(root, 'report.xml'), 'utf8')
    expect(xml).toMatch(/^<\?xml [^\n]*\n<testsuites name="sluice test" tests="5" failures="3" time="[\d.]+">/)
    expect(xml).toMatch(
      /<testsuite name="mask" tests="1" failures="1" time="[\d.]+">\n *<testcase classname="mask" name="order"/,
    )
    expect(xml).toContain('&lt;&amp;\\&quot;&gt;\\u0001')
    expect(xml).toMatch(/name="tests\/mask\.test\.ts" .*\n.*not run: a test for vitest, which is not installed/)
    expect(xml).toContain('<system-out>masking Order</system-out>')
    expect(xml.match(/<(?!\?)[a-z]/g)?.length).toBe(xml.match(/<\/|\/>/g)?.length)
  })

  it("runs projects of RudderStack's CLI and of its action", async () => {
    const yaml = `version: rudder/v1
kind: transformation
metadata: { name: shop }
spec:
  id: mask
  name: Mask
  language: javascript
  file: code/mask.js
  tests:
    - { name: orders, input: tests/input, output: tests/output }
`
    const library = `version: rudder/v1
kind: transformation-library
metadata: { name: shop }
spec: { id: pii, name: Personal data, import_name: pii, language: javascript, file: pii.js }
`
    const cli = project('cli', {
      'transformations/mask.yaml': yaml,
      'transformations/code/mask.js': masking,
      'transformations/tests/input/order.json': order,
      'transformations/tests/output/order.json': [masked],
      'libraries/pii.yaml': library,
      'libraries/pii.js': "export const hide = (email) => email.replace(/^.*@/, '***@')",
    })
    const action = project('action', {
      'code/meta.json': {
        transformations: [
          {
            ...{ file: './code/mask.js', name: 'Mask', description: '', language: 'javascript' },
            ...{ 'test-input-file': './code/events.json', 'expected-output': './code/expected.json' },
          },
        ],
        libraries: [{ file: './code/pii.ts', name: 'pii' }],
      },
      'code/mask.js': masking,
      'code/pii.ts': hiding,
      'code/events.json': [order],
      'code/expected.json': [masked],
    })
    const { status, stdout } = await test(folder, cli, join(action, 'code/meta.json'))
    expect(stdout).toMatch(/^Mask {2}cli\/transformations\/code\/mask\.js\n {2}✓ orders \/ order /m)
    expect(stdout).toMatch(/^Mask {2}action\/code\/mask\.js\n {2}✓ code\/events\.json /m)
    expect(status).toBe(0)
  })

  it('exits with 2 and a helpful message when nothing can be tested', async () => {
    const wrong = project('wrong', { 'transformations/mask.js': masking, 'tests/maks/input/a.json': order })
    const results = await Promise.all([test(wrong), testProcess(wrong, '--bogus')])
    expect(results).toEqual([
      { status: 2, stdout: '', stderr: 'sluice: tests/maks: belongs to no transformation; there are mask\n' },
      { status: 2, stdout: '', stderr: "error: unknown option '--bogus'\n" },
    ])
  })
})

describe('sluice test --watch', () => {
  it('runs again what depends on a saved file, survives mistakes, and ends on request', async () => {
    const root = project('watching', shop)
    const watching = startCommand(['test', '--watch'], { cwd: root })
    await watching.printed(/2 of 2 transformations\./)
    writeFileSync(join(root, 'transformations/count.js'), 'export const transformBatch = () => []')
    await watching.printed(/✗ two[\s\S]*1 failed, 1 passed[\s\S]*1 of 2 transformations\./)
    // Files that an editor writes beside a file trigger nothing.
    writeFileSync(join(root, 'transformations/.count.js.swp'), '')
    writeFileSync(join(root, 'tests/count/output/two.json'), '[')
    await watching.printed(/tests\/count\/output\/two\.json:1:2: not JSON/)
    writeFileSync(join(root, 'tests/count/output/two.json'), '[]')
    await watching.printed(/not JSON[\s\S]*✓ two[\s\S]*2 passed[\s\S]*1 of 2 transformations\./)
    // A change to a library runs the tests of its importers.
    writeFileSync(join(root, 'libraries/pii.ts'), `${hiding}\n// saved`)
    const [text] = await watching.printed(
      /✓ two[\s\S]*1 of 2 transformations\.[\s\S]*✓ order[\s\S]*1 of 2 transformations\./,
    )
    expect(text.match(/✓ two/g)).toHaveLength(2)
    watching.child.kill('SIGINT')
    expect((await watching.ended).status).toBe(0)
  })
})
