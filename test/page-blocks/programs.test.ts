import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, type Sandbox } from '@sluice/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { frames } from './frames.ts'
import { allBlocks, nameOf, type PageBlock } from './page-blocks.ts'
import {
  checkUserCode,
  compilePrograms,
  inOneLine,
  type ProgramResult,
  printedPattern,
  runPrograms,
} from './programs.ts'
import { exceptionOf, wayOf } from './way-of.ts'

const folder = join(import.meta.dirname, '../dist/page-programs')
const blocks = allBlocks()
const isCode = ({ language }: PageBlock): boolean => language === 'ts' || language === 'js'
const frameOf = ({ page, heading, language }: PageBlock) =>
  (language === 'ts' ? frames[`${page}#${heading}`] : undefined) ?? {}

/** Programs, and code that cannot run here but is compiled nevertheless. */
const programs = blocks.filter((block) => isCode(block) && ['program', 'usage'].includes(wayOf(block)))
const runnable = programs.filter((block) => wayOf(block) === 'program' && !frameOf(block).isFragment)
const folderOf = ({ page, line }: PageBlock): string => `${page.replaceAll(/\W+/g, '-')}-${line}`
/** Files of a page with a `main.ts` stand beside it. */
const mains = blocks.filter(({ file }) => file === 'main.ts')
const beside = blocks.filter(
  ({ page, file, language }) =>
    language === 'ts' && file !== undefined && file !== 'main.ts' && mains.some((main) => main.page === page),
)
const besideMain = (block: PageBlock): string =>
  `${folderOf(mains.find((main) => main.page === block.page) ?? block)}/${block.file}`

const receiver = await startReceiver()
let results: readonly ProgramResult[]
let hasEnded: boolean
const codeOf = (block: PageBlock): string => {
  const { before = '', after = '' } = frameOf(block)
  return `${before}${block.text.replaceAll('http://127.0.0.1:9000', receiver.url)}${after}`
}

const complaints = compilePrograms(folder, {
  ...Object.fromEntries(programs.map((block) => [`${folderOf(block)}/main.${block.language}`, codeOf(block)])),
  ...Object.fromEntries(beside.map((block) => [besideMain(block), block.text])),
})

beforeAll(async () => {
  const folders = runnable.map((block) => join(folder, 'compiled', folderOf(block)))
  const ran = await runPrograms(folders)
  results = ran.results
  hasEnded = ran.hasEnded
}, 90_000)
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('programs that pages show', () => {
  it('compile against the packages', () => {
    expect(complaints).toBe('')
  })

  it.each(runnable.map((block) => [nameOf(block), block] as const))('run and print what they show: %s', (_, block) => {
    const result = results.find((each) => each.folder === join(folder, 'compiled', folderOf(block)))
    expect(result?.problem).toBeUndefined()
    expect(inOneLine(result?.printed ?? 'nothing')).toMatch(printedPattern(codeOf(block)))
  })

  it('leave nothing running', () => {
    expect(hasEnded).toBe(true)
  })

  it('are framed only where a page has such a block', () => {
    const keys = new Set(programs.map(({ page, heading }) => `${page}#${heading}`))
    expect(Object.keys(frames).filter((key) => !keys.has(key))).toEqual([])
    expect(programs.filter((block) => exceptionOf(block) && !frameOf(block).isFragment)).toEqual([])
  })
})

describe('user code that pages show', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await createSandbox({ mode: 'in-process' })
  })
  afterAll(() => sandbox.close())

  it.each(blocks.filter((block) => wayOf(block) === 'user code').map((block) => [nameOf(block), block] as const))(
    'runs in the sandbox: %s',
    async (_, block) => {
      const compiled = await sandbox.compile({ name: 'shown', code: block.text, libraries: [] })
      if (!compiled.ok) throw new Error(JSON.stringify(compiled))
      const event = { type: 'track', messageId: 'm1', userId: 'u1', event: 'Seen', properties: { note: 'to a@b.test' } }
      const { outcomes } = await compiled.program.run([{ event, metadata: {} }], new AbortController().signal)
      expect(outcomes).toMatchObject([{ kind: 'pass' }])
    },
  )
})

describe('files of user code that pages show', () => {
  const files = blocks.filter(({ file }) => /^(?:transformations|libraries)\//.test(file ?? ''))
  it.each([...new Set(files.map(({ page }) => page))])('have the types of the sandbox: %s', (page) => {
    const ofPage = files.filter((block) => block.page === page)
    const code = Object.fromEntries(ofPage.map(({ file, text }) => [file ?? '', text]))
    expect(checkUserCode(join(folder, page.replaceAll(/\W+/g, '-')), code)).toBe('')
  })
})

// The tests that a page shows become tests of this file.
for (const block of beside.filter(({ file }) => file?.endsWith('.test.ts')))
  describe(`tests that ${block.page} shows`, async () => {
    await import(/* @vite-ignore */ join(folder, 'compiled', besideMain(block).replace(/\.ts$/, '.js')))
  })
