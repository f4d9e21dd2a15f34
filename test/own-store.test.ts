import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { fileBlocks, prepareFiles, runBlock } from './support/code-blocks.ts'

const guide = readFileSync(resolve(import.meta.dirname, '../packages/docs/guides/own-store.md'), 'utf8')
const folder = join(import.meta.dirname, 'dist')

prepareFiles(join(folder, 'own-store'), fileBlocks(guide))
// The tests that the guide shows become tests of this file.
await import(join(folder, 'own-store/file-audit-log.test.js'))

afterAll(() => rmSync(join(folder, 'own-store'), { recursive: true }))

it('the guide to a store of your own shows a program that runs, and what it prints', async () => {
  const [, printed] = /prints `([^`]+)`/.exec(guide) ?? []
  expect(await runBlock(folder, 'own-store')).toBe(`${printed}\nstatus 0`)
})
