import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashOf } from '../support/api-client.ts'
import { type CommandResult, type RunningCommand, runCommand, startCommand } from '../support/command.ts'
import { shop } from '../support/shop.ts'

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
const sluice = (...args: string[]): Promise<CommandResult> =>
  runCommand(args, { cwd, env: { SLUICE_URL: url, SLUICE_TOKEN: 'ci', NO_COLOR: '1' } })
async function live(): Promise<readonly { name: string; code: string; publishedVersionId: string; id: string }[]> {
  const answer = await fetch(`${url}/transformations`, { headers: { authorization: 'Bearer ci' } })
  return ((await answer.json()) as { transformations: Awaited<ReturnType<typeof live>> }).transformations
}

it('a folder is pushed, changed, refused when its tests fail, and pulled elsewhere, as a pipeline would do it', async () => {
  const looked = await sluice('push', 'project', '--dry-run')
  expect(looked).toMatchObject({ status: 0, stderr: '' })
  expect(looked.stdout).toMatch(/^\+ library words\n@@ .*\n\+export const loud/)
  expect(looked.stdout).toMatch(/\n2 changes; nothing was done \(--dry-run\)\n$/)
  expect(await live()).toEqual([])

  const unasked = await sluice('push', 'project')
  expect(unasked).toMatchObject({ status: 1, stderr: expect.stringContaining('give --yes to go ahead') })
  expect(await live()).toEqual([])

  const pushed = await sluice('push', 'project', '--yes')
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

  const pulled = await sluice('pull', 'elsewhere', '--yes')
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

it('names that no file can have are kept, and stay inside of the folder', async () => {
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

it('code that a server would refuse changes nothing, and says why', async () => {
  write('broken/transformations/broken.js', 'export const transformEvent = (event) => {')
  const before = await live()
  const refused = await sluice('push', 'broken', '--yes')
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/SyntaxError.*\[broken:1:/) })
  expect(await live()).toEqual(before)
})
