import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const folder = resolve(import.meta.dirname, '../../packages/studio/dist/page')
const assets = readdirSync(join(folder, 'assets')).filter((name) => !name.endsWith('.gz'))
const page = readFileSync(join(folder, 'index.html'), 'utf8')

const read = (name: string): Buffer => readFileSync(join(folder, 'assets', name))
const kilobytes = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0) / 1_000

/** Returns files with all that they import at once. What is imported on demand is not part of it. */
function withImports(names: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>()
  const add = (name: string): void => {
    if (all.has(name) || !assets.includes(name)) return
    all.add(name)
    if (name.endsWith('.js'))
      for (const [, imported] of read(name)
        .toString()
        .matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
        add(imported ?? '')
  }
  for (const name of names) add(name)
  return all
}

const named = (pattern: RegExp): readonly string[] => assets.filter((name) => pattern.test(name))
/** With the font of all text; that of code comes when code is shown. */
const start = withImports([
  ...[...page.matchAll(/assets\/([^"']+)/g)].map(([, name]) => name ?? ''),
  ...named(/^geist-(?!mono)[\w-]+\.woff2$/),
])

describe('the files of the studio, compressed', () => {
  it('are at most 60 kB to begin with, with the font of all text, and 72 kB with that of code', () => {
    expect([...start].filter((name) => name.endsWith('.woff2'))).toHaveLength(1)
    expect(kilobytes(new Set([...start, ...named(/\.woff2$/)]))).toBeLessThanOrEqual(72)
    expect(kilobytes(start)).toBeLessThanOrEqual(60)
  })

  it('are at most 100 kB for each view without the editor', () => {
    // A chunk may have the name of any module in it: the editor's, which are loaded on demand, have that of the diff.
    const views = named(/-view-.*\.js$/).filter((name) => !name.includes('diff'))
    expect(views.length).toBeGreaterThan(5)
    for (const view of views)
      expect(kilobytes(new Set([...start, ...withImports([view])])), view).toBeLessThanOrEqual(100)
  })

  it('are at most 170 kB for the code editor, 130 kB for that of SQL, and 1.2 MB for TypeScript, all loaded on demand', () => {
    const fresh = (pattern: RegExp): readonly string[] =>
      [...withImports(named(pattern))].filter((name) => !start.has(name))
    const editor = fresh(/^code-editor-.*\.js$/)
    const [types] = named(/^types-worker-.*\.js$/)
    expect(kilobytes(editor)).toBeGreaterThan(100)
    expect(kilobytes(editor)).toBeLessThanOrEqual(170)
    expect(kilobytes(fresh(/^sql-editor-.*\.js$/))).toBeLessThanOrEqual(130)
    // The window around it.
    const workbench = fresh(/^workbench-.*\.js$/)
    expect(workbench).toEqual(expect.arrayContaining([...editor]))
    expect(kilobytes(workbench.filter((name) => !editor.includes(name)))).toBeLessThanOrEqual(30)
    expect(kilobytes([types ?? ''])).toBeLessThanOrEqual(1_200)
  })
})
