import { createManualClock, pass, type Transformation } from '@sluice/core'
import { createSandbox } from '@sluice/sandbox'
import { afterAll, describe, expect, it } from 'vitest'
import { createTransformationPrograms } from './transformation-programs.ts'

const sandbox = await createSandbox()
afterAll(() => sandbox.close())
const version = (versionId: string, code = 'export const transformEvent = (event) => event'): Transformation => ({
  versionId,
  name: 't',
  code,
  libraries: [],
})

describe('transformation programs', () => {
  it('compile a version once, also when requested twice at the same time', async () => {
    const programs = createTransformationPrograms({ sandbox })
    const [first, second] = await Promise.all([programs.program(version('1')), programs.program(version('1'))])
    expect(second).toBe(first)
    expect(await programs.program(version('2'))).not.toBe(first)
  })
  it('compile a version again when a new version of one of its libraries is published', async () => {
    const programs = createTransformationPrograms({ sandbox })
    const withLibrary = (versionId: string) => ({
      ...version('1', `import 'lib'\nexport const transformEvent = (event) => event`),
      libraries: [{ name: 'lib', code: '', versionId }],
    })
    const first = await programs.program(withLibrary('l1'))
    expect(await programs.program(withLibrary('l1'))).toBe(first)
    expect(await programs.program(withLibrary('l2'))).not.toBe(first)
  })
  it('compile equal code once per workspace, so that two never share a heap', async () => {
    const careless = await createSandbox({ workers: 1, isolation: 'none' })
    const programs = createTransformationPrograms({ sandbox: careless })
    const counting = version('1', 'let n = 0\nexport const transformEvent = () => ({ n: ++n })')
    const run = async (workspaceId: string) => {
      const compiled = await programs.program(counting, workspaceId)
      if (!compiled.ok) throw new Error(compiled.error.message)
      const { outcomes } = await compiled.program.run([{ event: {}, metadata: {} }], new AbortController().signal)
      return outcomes
    }
    expect(await run('a')).toEqual([pass({ n: 1 })])
    expect(await run('a')).toEqual([pass({ n: 2 })])
    expect(await run('b')).toEqual([pass({ n: 1 })])
    await careless.close()
  })
  it('remember for ten seconds why a version cannot be loaded, and try again then', async () => {
    const clock = createManualClock(0)
    const programs = createTransformationPrograms({ sandbox, clock })
    const broken = await programs.program(version('1', 'export'))
    expect(broken).toMatchObject({ ok: false, error: { code: 'transform.load' } })
    clock.advance(9_999)
    expect(await programs.program(version('1', 'export'))).toBe(broken)
    clock.advance(1)
    expect(await programs.program(version('1', 'export'))).not.toBe(broken)
  })
  it('run code later that was too slow to load once, as on a busy machine', async () => {
    const clock = createManualClock(0)
    const compile: typeof sandbox.compile = (source) =>
      clock.now() === 0
        ? Promise.resolve({ ok: false, error: { code: 'transform.load', message: 'Error: timed out' } })
        : sandbox.compile(source)
    const programs = createTransformationPrograms({ sandbox: { compile, close: async () => {} }, clock })
    expect(await programs.program(version('1'))).toMatchObject({ ok: false })
    clock.advance(10_000)
    expect(await programs.program(version('1'))).toMatchObject({ ok: true })
  })
  it('forget the least recently used beyond their number, and all when closed', async () => {
    const programs = createTransformationPrograms({ sandbox, programsMax: 1 })
    const first = await programs.program(version('1'))
    const second = await programs.program(version('2'))
    expect(await programs.program(version('2'))).toBe(second)
    expect(await programs.program(version('1'))).not.toBe(first)
    const again = await programs.program(version('1'))
    await programs.close()
    expect(await programs.program(version('1'))).not.toBe(again)
  })
  it('retry after the sandbox itself failed', async () => {
    const closed = await createSandbox()
    await closed.close()
    const programs = createTransformationPrograms({ sandbox: closed })
    const first = programs.program(version('1'))
    await expect(first).rejects.toThrow('closed')
    const second = programs.program(version('1'))
    expect(second).not.toBe(first)
    await expect(second).rejects.toThrow('closed')
  })
  it('refuse an invalid programsMax', () => {
    expect(() => createTransformationPrograms({ sandbox, programsMax: 0 })).toThrow(RangeError)
  })
})
