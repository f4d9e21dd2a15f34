import type { Transformation } from '@sluice/core'
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
  it('compile a version once, also when asked for twice at the same time', async () => {
    const programs = createTransformationPrograms({ sandbox })
    const [first, second] = await Promise.all([programs.program(version('1')), programs.program(version('1'))])
    expect(second).toBe(first)
    expect(await programs.program(version('2'))).not.toBe(first)
  })
  it('compile a version again when a library of it is published anew', async () => {
    const programs = createTransformationPrograms({ sandbox })
    const withLibrary = (versionId: string) => ({
      ...version('1', `import 'lib'\nexport const transformEvent = (event) => event`),
      libraries: [{ name: 'lib', code: '', versionId }],
    })
    const first = await programs.program(withLibrary('l1'))
    expect(await programs.program(withLibrary('l1'))).toBe(first)
    expect(await programs.program(withLibrary('l2'))).not.toBe(first)
  })
  it('remember why a version cannot be loaded', async () => {
    const programs = createTransformationPrograms({ sandbox })
    const broken = await programs.program(version('1', 'export'))
    expect(broken).toMatchObject({ ok: false, error: { code: 'transform.load' } })
    expect(await programs.program(version('1', 'export'))).toBe(broken)
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
  it('ask again after the sandbox itself failed', async () => {
    const closed = await createSandbox()
    await closed.close()
    const programs = createTransformationPrograms({ sandbox: closed })
    const first = programs.program(version('1'))
    await expect(first).rejects.toThrow('closed')
    const second = programs.program(version('1'))
    expect(second).not.toBe(first)
    await expect(second).rejects.toThrow('closed')
  })
  it('refuse a number that cannot be kept', () => {
    expect(() => createTransformationPrograms({ sandbox, programsMax: 0 })).toThrow(RangeError)
  })
})
