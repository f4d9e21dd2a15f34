import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sdkSnippets } from '../../packages/studio/src/page/views/sources/sdk-snippets.ts'
import { eventually } from '../support/eventually.ts'
import { blocksOf } from '../support/texts/code-blocks.ts'

const guide = readFileSync(resolve(import.meta.dirname, '../../packages/docs/guides/send-events.md'), 'utf8')
const snippet = (title: string) => {
  const found = sdkSnippets.find((each) => each.title === title)
  if (found === undefined) throw new Error(`there is no snippet for ${title}`)
  return found
}

describe('the snippets that send an event', () => {
  it('are the same in the guide and in the studio, each with what installs its SDK', () => {
    const shown = blocksOf(guide).map(({ heading, language, text }) => [heading, language, text.trimEnd()])
    const expected = sdkSnippets.map(({ title, language, code }) => [
      title,
      language,
      code('https://events.example.com', 'WRITE_KEY'),
    ])
    expect(shown).toEqual(expected)
    for (const { install } of sdkSnippets) if (install !== undefined) expect(guide).toContain(`\n\`${install}\`\n`)
  })

  // An SDK of another language cannot be installed here; its requests are replayed in test/clients.
  const parsers: readonly (readonly [title: string, program: string, args: readonly string[], ending: string])[] = [
    ['Python', 'python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())'], 'py'],
    ['Ruby', 'ruby', ['-c'], 'rb'],
    ['PHP', 'php', ['-l'], 'php'],
    ['Go', 'gofmt', ['-l'], 'go'],
  ]
  for (const [title, program, args, ending] of parsers)
    it(`are programs in the language that they name: ${title}`, (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-snippet-'))
      const file = join(folder, `send.${ending}`)
      writeFileSync(file, `${snippet(title).code('https://events.example.com', 'WRITE_KEY')}\n`)
      const { error, status, stdout, stderr } = spawnSync(program, [...args, file], {
        encoding: 'utf8',
        timeout: 30_000,
      })
      rmSync(folder, { recursive: true })
      // Any other error, such as no end in time, is a failure.
      if (error && 'code' in error && error.code === 'ENOENT') return context.skip(`${program} is not installed`)
      expect([status, stderr, title === 'Go' ? stdout : '']).toEqual([0, '', ''])
    })
})

describe('a server gets the event of the snippet for', () => {
  let sluice: Sluice
  let url: string
  let server: ReturnType<typeof createServer>
  const accepted = async (): Promise<number> => {
    const [source] = await sluice.stats('shop')
    return source?.accepted ?? 0
  }

  beforeAll(async () => {
    sluice = await createSluice({
      workspace: { id: 'shop', sources: [{ id: 'web', writeKey: 'web-key' }], destinations: [], connections: [] },
      sandbox: { mode: 'in-process' },
    })
    server = createServer(toNodeListener(sluice))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await sluice.stop()
  })

  // Beside the SDKs that are installed for tests.
  const run = (program: string, args: readonly string[], input = ''): Promise<number | null> =>
    new Promise((done, fail) => {
      const child = spawn(program, args, { cwd: import.meta.dirname, stdio: ['pipe', 'ignore', 'inherit'] })
      child.on('error', fail).on('exit', done)
      child.stdin.end(input)
    })

  it('Node', async () => {
    const before = await accepted()
    const code = snippet('Node').code(url, 'web-key')
    expect(await run(process.execPath, ['--input-type=module'], code)).toBe(0)
    await eventually(accepted).toBe(before + 1)
  })

  it('curl', async () => {
    const before = await accepted()
    expect(await run('sh', ['-c', snippet('curl').code(url, 'web-key')])).toBe(0)
    await eventually(accepted).toBe(before + 1)
  })
})
