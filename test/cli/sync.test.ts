import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { type CommandResult, type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { asInstalled } from '../support/processes/installed.ts'
import { shop } from '../support/scenes/shop.ts'

let cwd: string
let server: RunningCommand
let url: string

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-sync-'))
  const accessTokens = [{ name: 'ci', token: hashOf('ci') }]
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(shop('http://hook.test/', { accessTokens })))
  server = startCommand(['serve', '--workspace', 'workspace.json', '--port', '0'], { cwd })
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  write('project/transformations/greet.ts', greeting('hello'))
  write('project/libraries/words.ts', 'export const loud = (text: string): string => text.toUpperCase()\n')
  const events = [{ type: 'track', event: 'a' }, { type: 'track' }]
  write('project/tests/greet/input/both.json', JSON.stringify(events))
  write(
    'project/tests/greet/output/both.json',
    '[{"type":"track","event":"HELLO a"},{"error":"Error: an event without a name"}]',
  )
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  rmSync(cwd, { recursive: true })
})

function greeting(word: string): string {
  return `import { loud } from 'words'
export function transformEvent(event: TrackEvent): TrackEvent {
  if (!event.event) throw new Error('an event without a name')
  return { ...event, event: loud('${word}') + ' ' + event.event }
}
`
}
function write(file: string, text: string): void {
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), text)
}
const options = () => ({ cwd, env: { SLUICE_URL: url, SLUICE_TOKEN: 'ci', NO_COLOR: '1' } })
const sluice = (...args: string[]): Promise<CommandResult> => runHosted(args, options())
/** Runs in a separate process, as in a pipeline. */
const sluiceProcess = (...args: string[]): Promise<CommandResult> => runCommand(args, options())
const identity = 'export const transformEvent = (event) => event\n'
/** A change by another user of the API. */
async function savedAs(name: string, code: string, more: object = { publish: true }, id = ''): Promise<SavedVersion> {
  const answer = await fetch(`${url}/transformations/${id}`.replace(/\/$/, ''), {
    method: 'POST',
    headers: { authorization: 'Bearer ci' },
    body: JSON.stringify({ name, code, ...more }),
  })
  return (await answer.json()) as SavedVersion
}
interface SavedVersion {
  readonly id: string
  readonly versionId: string
}
async function live(): Promise<readonly { name: string; code: string; publishedVersionId: string; id: string }[]> {
  const answer = await fetch(`${url}/transformations`, { headers: { authorization: 'Bearer ci' } })
  return ((await answer.json()) as { transformations: Awaited<ReturnType<typeof live>> }).transformations
}

it('a folder is pushed, changed, refused when its tests fail, and pulled elsewhere, as a CI pipeline would do it', async () => {
  const looked = await sluice('push', 'project', '--dry-run')
  expect(looked).toMatchObject({ status: 0, stderr: '' })
  expect(looked.stdout).toMatch(/^\+ library words {2}new, 1 line\n\+ transformation greet {2}new, 5 lines\n/)
  expect(looked.stdout).toMatch(/\n2 changes; nothing was done \(--dry-run\)\n$/)
  expect(await live()).toEqual([])

  const unasked = await sluiceProcess('push', 'project')
  expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining('give --yes to go ahead') })
  expect(await live()).toEqual([])

  const pushed = await sluiceProcess('push', 'project', '--yes')
  expect(pushed).toMatchObject({ status: 0, stderr: '' })
  expect(pushed.stdout).toContain(`2 changes live at ${url}`)
  const [first] = await live()
  expect(first).toMatchObject({ name: 'greet', code: greeting('hello'), publishedVersionId: expect.any(String) })

  expect((await sluice('push', 'project', '--yes')).stdout).toMatch(
    /= library words\n= transformation greet\nnothing to do/,
  )

  write('project/transformations/greet.ts', greeting('hallo'))
  const changed = await sluice('push', 'project', '--dry-run')
  expect(changed.stdout).toContain(
    "-  return { ...event, event: loud('hello') + ' ' + event.event }\n+  return { ...event, event: loud('hallo')",
  )
  await sluice('push', 'project', '--yes', '--no-publish')
  expect((await live())[0]).toMatchObject({ code: greeting('hallo'), publishedVersionId: first?.publishedVersionId })
  expect((await sluice('push', 'project', '--dry-run')).stdout).toContain(
    'transformation greet: saved on the server, not live yet',
  )

  const pulled = await sluiceProcess('pull', 'elsewhere', '--yes')
  expect(pulled).toMatchObject({ status: 0, stderr: '' })
  expect(readFileSync(join(cwd, 'elsewhere/transformations/greet.ts'), 'utf8')).toBe(greeting('hello'))
  expect(readdirSync(join(cwd, 'elsewhere/libraries'))).toEqual(['words.ts'])
  expect((await sluice('pull', 'elsewhere', '--json')).stdout).toBe(
    `${JSON.stringify({
      changes: [
        { kind: 'library', name: 'words', state: 'same' },
        { kind: 'transformation', name: 'greet', state: 'same' },
      ],
      written: [],
    })}\n`,
  )
})

it('names that are not valid file names are kept, and stay inside the folder', async () => {
  const body = JSON.stringify({
    name: '../../Mask: "all"',
    description: 'hides',
    code: 'export const transformEvent = (e) => e',
    publish: true,
  })
  await fetch(`${url}/transformations`, { method: 'POST', headers: { authorization: 'Bearer ci' }, body })
  await sluice('pull', 'named', '--yes')
  expect(readdirSync(join(cwd, 'named/transformations')).sort()).toEqual(['Mask-all.js', 'greet.ts'])
  const names = JSON.parse(readFileSync(join(cwd, 'named/sluice.json'), 'utf8'))
  expect(names.transformations).toEqual({ 'Mask-all': { name: '../../Mask: "all"', description: 'hides' } })
  expect((await sluice('push', 'named', '--dry-run')).stdout).toContain('nothing to do')
})

it('code that a server would refuse changes nothing, and the output says why', async () => {
  write('broken/transformations/broken.js', 'export const transformEvent = (event) => {')
  const before = await live()
  const refused = await sluice('push', 'broken', '--yes')
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/SyntaxError.*\[broken:1:/) })
  expect(await live()).toEqual(before)
})

describe('a push', () => {
  it('refused by the tests of the server names transformation, place and event, and nothing goes live', async () => {
    // The local tests pass; the change breaks another transformation that is already live on the server.
    write('pair/libraries/shared.js', 'export const one = () => 1\n')
    write(
      'pair/transformations/user.js',
      `import { one } from 'shared'\nexport const transformEvent = (event) => ({ ...event, one: one() })\n`,
    )
    expect(await sluice('push', 'pair', '--yes')).toMatchObject({ status: 0 })
    const before = await live()
    write('other/libraries/shared.js', 'export const one = () => {\n  throw new Error("nothing is one")\n}\n')
    write('other/transformations/fine.js', identity)
    const refused = await sluice('push', 'other', '--yes')
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing went live') })
    expect(refused.stderr).toMatch(
      /\n {2}transformation user\n {4}Error: nothing is one\n {6}at library shared:2\n {6}with \{.*"type":/,
    )
    expect((await live()).filter(({ name }) => name !== 'fine')).toEqual(before)
  })

  it('of code that fetches runs its cases with recorded responses, and says why the server refuses it', async () => {
    const plan = (rest: string) => `export async function transformEvent(event) {
  const answer = await fetch('https://api.test/plans/' + event.userId)
  ${rest}
  return { ...event, plan: answer.plan ?? 'unknown' }
}
`
    write('plans/transformations/plan.js', plan(''))
    write('plans/tests/plan/input/one.json', '{"type":"identify","userId":"u1"}')
    write('plans/tests/plan/output/one.json', '{"type":"identify","userId":"u1","plan":"pro"}')
    const unrecorded = await sluice('push', 'plans', '--yes')
    expect(unrecorded).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing was pushed') })
    write('plans/tests/plan/fetch/one.json', '[{"url":"https://api.test/plans/u1","reply":{"plan":"pro"}}]')
    const pushed = await sluice('push', 'plans', '--yes')
    expect(pushed).toMatchObject({ status: 0, stdout: expect.stringMatching(/tests: 1 passed.*\n1 change live/) })

    write('plans/transformations/plan.js', plan("await fetchV2('https://api.test/plans/' + event.userId)"))
    const refused = await sluice('push', 'plans', '--yes')
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('its operator allows one with sluice serve --fetch-allow HOST'),
    })
  })

  it('runs the test files of the project, which --no-test leaves out', async () => {
    // Inside the test package, where imports of the packages resolve as they do after an installation.
    const folder = join(import.meta.dirname, '../dist/push-files')
    const file = (name: string, text: string): void => {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    file('package.json', '{"type":"module"}')
    file('vitest.config.js', asInstalled)
    // The sample events fail, but the test file names the transformation, so they are not used.
    file('transformations/tested.js', 'export const transformEvent = (event) => ({ ...event, tested: event.a.b })\n')
    file(
      'tests/tested.test.js',
      `import { testTransformation } from '@sluice/testing'
import { test } from 'vitest'
test('is 2', () => testTransformation('tested.js').on({ a: { b: 1 } }).toEmit({ a: { b: 1 }, tested: 2 }))
`,
    )
    try {
      const refused = await sluiceProcess('push', folder, '--yes')
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('nothing was pushed (--no-test') })
      expect(refused.stderr).toMatch(/✗ .*tested\.test\.js \/ is 2\n {4}expected the transformation to emit 1 event\n/)
      expect(refused.stderr).not.toContain('sample events')
      const untested = await sluice('push', folder, '--yes', '--no-test', '--no-publish')
      expect(untested).toMatchObject({ status: 0, stdout: expect.stringContaining('1 change saved') })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('of a transformation without its new library is refused before anything is done, with the remedy', async () => {
    write('apart/libraries/apart-words.js', 'export const word = "x"\n')
    write('apart/transformations/apart.js', `import { word } from 'apartWords'\n${identity}`)
    const before = await live()
    expect(await sluice('push', 'apart', '--yes', '--only', 'apart')).toMatchObject({
      status: 1,
      stderr:
        'sluice: --only apart: it imports the library apart-words, which the server does not have; add --only apart-words\n',
    })
    expect(await live()).toEqual(before)
  })

  it('connects transformations to destinations, and keeps the connections they have', async () => {
    write('joined/transformations/joined.js', identity)
    const unconnected = await sluice('push', 'joined', '--yes')
    expect(unconnected.stdout).toContain('once they are connected: sluice push --connect joined=DESTINATION\n')
    const connected = await sluice('push', 'joined', '--yes', '--connect', 'joined=hook')
    expect(connected).toMatchObject({ status: 0, stdout: expect.stringContaining('joined runs for hook\n') })
    const code = `${identity}// again\n`
    write('joined/transformations/joined.js', code)
    expect(await sluice('push', 'joined', '--yes', '--connect', 'joined=hook')).toMatchObject({ status: 0 })
    expect((await live()).find(({ name }) => name === 'joined')).toMatchObject({
      code,
      destinations: [expect.objectContaining({ id: 'hook' })],
    })
    const wrong = await sluice('push', 'joined', '--yes', '--connect', 'joined=nowhere')
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^sluice: --connect joined=nowhere: .*400: .*nowhere/),
    })
  })

  it('of a library also runs the cases of transformations that did not change', async () => {
    write('cased/libraries/number.js', 'export const number = () => 1\n')
    const code = `import { number } from 'number'\nexport const transformEvent = (event) => ({ ...event, n: number() })\n`
    write('cased/transformations/cased.js', code)
    write('cased/tests/cased/input/one.json', '{"type":"track"}')
    write('cased/tests/cased/output/one.json', '{"type":"track","n":1}')
    expect(await sluice('push', 'cased', '--yes')).toMatchObject({ status: 0 })
    write('cased/libraries/number.js', 'export const number = () => 2\n')
    const refused = await sluice('push', 'cased', '--yes')
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nothing was pushed (--no-test leaves them out):\n\n✗ cased / one'),
    })
    expect(refused.stdout).toContain('= transformation cased\n')
  })

  it('says that sample events were used where no case has an event that passes', async () => {
    write('picky/transformations/picky.js', "export const transformEvent = () => { throw new Error('never') }\n")
    write('picky/tests/picky/input/one.json', '{"type":"track"}')
    write('picky/tests/picky/output/one.json', '[{"error":"Error: never"}]')
    const refused = await sluice('push', 'picky', '--yes')
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The server used its sample events for picky: no case has an event that passes'),
    })
  })

  it('reports a newer version that another user has saved, and shows what goes live with a saved one', async () => {
    const { id } = await savedAs('drafted', identity)
    const theirs = `${identity}// theirs\n`
    const { versionId } = await savedAs('drafted', theirs, {}, id)
    write('draft/transformations/drafted.js', `${identity}// ours\n`)
    const shown = await sluice('push', 'draft', '--dry-run')
    expect(shown.stdout).toContain(`a newer version, ${versionId}, is saved on the server and not live`)
    write('draft/transformations/drafted.js', theirs)
    expect((await sluice('push', 'draft', '--dry-run')).stdout).toMatch(
      /~ transformation drafted: saved on the server, not live yet\n@@ .*\n .*\n\+\/\/ theirs/,
    )
  })

  it('does not overwrite what another user published after it was shown', async () => {
    const { id } = await savedAs('raced', identity)
    const theirs = `${identity}// theirs\n`
    let looks = 0
    // Another user publishes between the first and the second request.
    const between = createServer((request, response) => {
      void (async () => {
        const headers = { authorization: 'Bearer ci' }
        if (request.url === '/libraries') looks += 1
        if (request.url === '/libraries' && looks === 2) await savedAs('raced', theirs, { publish: true }, id)
        const answer = await fetch(`${url}${request.url}`, { headers })
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
      })()
    })
    await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening))
    const { port } = between.address() as AddressInfo
    write('race/transformations/raced.js', `${identity}// ours\n`)
    const pushed = await sluice('push', 'race', '--yes', '--url', `http://127.0.0.1:${port}`)
    between.close()
    expect(pushed).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('someone else changed the transformation raced on the server meanwhile'),
    })
    expect((await live()).find(({ name }) => name === 'raced')?.code).toBe(theirs)
  })

  it('explains what is wrong: no folder, a broken project, no server', async () => {
    write('twice/transformations/a.js', identity)
    write('twice/transformations/a.ts', identity)
    const said = await Promise.all([
      sluice('push', 'nowhere'),
      sluice('push', 'twice'),
      sluice('push', 'project', '--url', 'http://127.0.0.1:9'),
    ])
    expect(said.map(({ status }) => status)).toEqual([1, 1, 1])
    expect(said[0]?.stderr).toBe('sluice: nowhere: not there\n')
    expect(said[1]?.stderr).toMatch(/^sluice: transformations\/a\.ts: the transformation a is there already, .*\n$/)
    expect(said[2]?.stderr).toMatch(
      /^sluice: http:\/\/127\.0\.0\.1:9 does not answer \(.*\); is the server running\?\n$/,
    )
  })
})

describe('a pull', () => {
  it('overwrites no file that is not code of the project, and writes a project that can be loaded', async () => {
    await savedAs('tidy.test', identity)
    await savedAs('a b', identity)
    await savedAs('a-b', identity, { publish: true, language: 'typescript' })
    write('full/transformations/tidy.test.js', 'mine')
    write('full/transformations/own.js', identity)
    expect(await sluice('pull', 'full', '--yes')).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(join(cwd, 'full/transformations'))).toEqual(
      expect.arrayContaining(['a-b.js', 'a-b-2.ts', 'own.js', 'tidy-test.js', 'tidy.test.js']),
    )
    expect(readFileSync(join(cwd, 'full/transformations/tidy.test.js'), 'utf8')).toBe('mine')
    expect(
      (await sluice('push', 'full', '--dry-run', '--only', 'a b', '--only', 'a-b', '--only', 'tidy.test')).stdout,
    ).toBe(
      `= transformation a-b\n= transformation a b\n= transformation tidy.test\nnothing to do: ${url} has all of it\n`,
    )
  })

  it('into an empty folder creates a project there, whatever its parent folders contain', async () => {
    write('above/transformations/own.js', identity)
    mkdirSync(join(cwd, 'above/empty'))
    const looked = await sluice('pull', 'above/empty', '--dry-run')
    expect(looked.stdout).toContain('to write: above/empty/transformations/greet.ts\n')
    expect(looked.stdout).not.toContain('to write: above/transformations')
  })

  it('omits transformations in another language', async () => {
    await savedAs('tongue', identity, { publish: true, language: 'typescript' })
    write('tongues/transformations/tongue.js', identity)
    const pulled = await sluice('pull', 'tongues', '--yes')
    expect(pulled.stdout).toContain('transformation tongue is skipped: it is typescript at the server; rename its file')
    expect(readFileSync(join(cwd, 'tongues/transformations/tongue.js'), 'utf8')).toBe(identity)
  })
})
