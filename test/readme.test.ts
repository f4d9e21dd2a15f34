import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** Its code runs in test/page-blocks, like that of all pages. */
describe('the README', () => {
  it('names only existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...readme.matchAll(/`(?:npm|pnpm) (?:run )?([a-z]+)/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(3)
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
  })

  it('lists every package', () => {
    const linked = [...readme.matchAll(/^\| \[([a-z-]+)\]\(packages\/\1\)/gm)].map((match) => match[1])
    expect(linked.toSorted()).toEqual(readdirSync(join(root, 'packages')).toSorted())
  })

  it('has at most 150 lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(150)
  })
})
