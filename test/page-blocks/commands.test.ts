import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { contractOf } from '../support/http/documented.ts'
import { freePort } from '../support/http/free-port.ts'
import { consoleCommands, masked, outputPattern } from '../support/texts/console-blocks.ts'
import { askingCurl, readAnswer } from './curl-answer.ts'
import { allBlocks, nameOf, type PageBlock } from './page-blocks.ts'
import { createPageShell, type PageShell, type Ran } from './page-shell.ts'
import { type SampleServer, startSampleServer } from './sample-server.ts'
import { linesOf, withoutComment } from './shell-words.ts'
import { usageProblems } from './usage-problems.ts'
import { wayOf } from './way-of.ts'

const folder = join(import.meta.dirname, '../dist/page-blocks')
/** The sample has many events: on a busy machine it starts late. */
const startMs = 90_000
let starting: Promise<SampleServer>
let server: SampleServer

beforeAll(async () => {
  starting = startSampleServer(join(folder, 'sample'))
  server = await starting
}, startMs)
afterAll(async () => (await starting).stop(), startMs)

const blocks = allBlocks()
const isShell = (block: PageBlock): boolean => ['sh', 'bash', 'console'].includes(block.language)

for (const page of new Set(blocks.filter((block) => wayOf(block) === 'commands').map((block) => block.page)))
  describe(`commands of ${page}`, () => {
    const own = blocks.filter((block) => block.page === page && ['commands', 'file'].includes(wayOf(block)))
    let shell: PageShell
    /** Changes the addresses of a page to those of this run. A page that starts servers has ports of its own. */
    let here: (text: string) => string
    beforeAll(async () => {
      // A profile of `sluice login` counts only where no variable names a server.
      const { SLUICE_URL: _, SLUICE_TOKEN: __, ...without } = server.env
      const hasLogin = own.some(({ text }) => text.includes('sluice login'))
      shell = createPageShell(join(folder, page.replaceAll(/\W+/g, '-')), hasLogin ? without : server.env)
      const ports = own.flatMap(({ text }) =>
        [...text.matchAll(/(?:--port |\.listen\()(\d+)/g)].map(([, port]) => port),
      )
      const free = new Map(await Promise.all(ports.map(async (port) => [port, String(await freePort())] as const)))
      here = (text) => {
        const ofPage = text.replaceAll(/\b\d{4}\b/g, (port) => free.get(port) ?? port)
        return free.has('8080') ? ofPage : ofPage.replaceAll('http://127.0.0.1:8080', server.env['API'] ?? '')
      }
    })
    afterAll(() => shell.close())

    /** Runs a command and checks how it ended: with success, or as the comment behind it says. */
    async function type(line: string): Promise<Ran> {
      const { command, comment } = withoutComment(here(line.replace(/^pnpm sluice /, 'sluice ')))
      const ran = await shell.run(askingCurl(command), await server.idsFor(command))
      const { status, stdout, stderr } = ran
      const shown = `${line}\n${stdout.slice(-3_000)}\n${stderr}`
      const answer = readAnswer(stderr)
      if (answer) {
        const [, wanted = '2', code] = /^(\d{3})(?: (\w+))?/.exec(comment) ?? []
        expect(String(answer.status).slice(0, wanted.length), shown).toBe(wanted)
        if (code !== undefined) expect(JSON.parse(stdout), shown).toMatchObject({ code })
        if (answer.origin === server.env['API'])
          expect(contractOf(server.openapi).problemOf({ ...answer, text: stdout.replace(/\n$/, '') })).toBeUndefined()
      } else {
        const [, wanted = '0'] = /^exit status (\d+)/.exec(comment) ?? []
        expect(String(status), shown).toBe(wanted)
      }
      return ran
    }

    for (const block of own)
      it(nameOf(block), async () => {
        if (block.file !== undefined) shell.write(block.file, here(block.text))
        else if (block.language === 'console')
          for (const { command, output } of consoleCommands(block.text)) {
            const { seen } = await type(command)
            const wanted = outputPattern(output.map(here))
            const inLines = (text: string): string => text.split('\n').map(masked).join('\n')
            // The one that matches, or the first. What runs in the background may print a moment later.
            const shown = () =>
              seen()
                .map(inLines)
                .find((text) => wanted.test(text)) ?? inLines(seen()[0] ?? '')
            await eventually(shown, command).toMatch(wanted)
          }
        else for (const line of linesOf(block.text)) await type(line)
      }, 60_000)
  })

describe('commands that cannot run here', () => {
  for (const block of blocks.filter((each) => wayOf(each) === 'usage' && isShell(each)))
    it(`have flags, arguments and routes that exist: ${nameOf(block)}`, () => {
      const { paths } = contractOf(server.openapi).document
      const routes = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const problems = linesOf(block.text).flatMap((line) => usageProblems(line.replace(/^\$ /, ''), routes))
      expect(problems).toEqual([])
    })
})
