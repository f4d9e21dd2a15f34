import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

it('pnpm test:long runs every test that has a larger size for it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [, filters = ''] = /--no-file-parallelism (.+)$/.exec(scripts['test:long'] ?? '') ?? []
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((each) => each.isDirectory() && !['dist', 'node_modules'].includes(each.name))
    .map(({ name }) => name)
  const sized = folders
    .flatMap((folder) => readdirSync(join(import.meta.dirname, folder)).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => /^import \{ (?:roundsOf, )?sized \}/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')))
  expect(sized.length).toBeGreaterThan(4)
  expect(sized.filter((file) => !filters.split(' ').some((filter) => `test/${file}`.includes(filter)))).toEqual([])
})
