import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { StoreUnusableError } from '../../store-errors.ts'
import { placeNewFile } from './place-new-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-place-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Fails like a file system without hard links. */
const refuse = (code: string) => () => {
  throw Object.assign(new Error(`${code}: operation not permitted, link`), { code })
}
const systems = [
  { name: 'with hard links', link: linkSync },
  { name: 'without, as exFAT', link: refuse('EPERM') },
  { name: 'without, as some network file systems', link: refuse('ENOTSUP') },
]

describe('a new file', () => {
  for (const [index, { name, link }] of systems.entries()) {
    it(`is placed whole and replaces nothing, on a file system ${name}`, () => {
      const from = join(folder, `from-${index}`)
      const to = join(folder, `to-${index}`)
      writeFileSync(from, 'first')
      placeNewFile(from, to, link)
      expect(readFileSync(to, 'utf8')).toBe('first')
      rmSync(from, { force: true })
      writeFileSync(from, 'second')
      expect(() => placeNewFile(from, to, link)).toThrow(StoreUnusableError)
      expect(readFileSync(to, 'utf8')).toBe('first')
      expect(readFileSync(from, 'utf8')).toBe('second')
    })
  }

  it('does not exist after another failure', () => {
    const from = join(folder, 'from')
    writeFileSync(from, 'text')
    expect(() => placeNewFile(from, join(folder, 'to'), refuse('EIO'))).toThrow('EIO')
    expect(existsSync(join(folder, 'to'))).toBe(false)
  })
})
