import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findProjects } from './find-projects.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-find-'))
afterAll(() => rmSync(root, { recursive: true }))

it('skips sample events for code that a test file names, but not when its name only ends another', async () => {
  for (const folder of ['.git', 'transformations', 'tests']) mkdirSync(join(root, folder))
  for (const name of ['a', 'data', 'url'])
    writeFileSync(join(root, `transformations/${name}.js`), 'export const transformEvent = (event) => event')
  writeFileSync(
    join(root, 'tests/data.test.js'),
    `import { testTransformation } from '@sluice/testing'
testTransformation('data.js')
testTransformation(new URL('../transformations/url.js', import.meta.url))`,
  )
  const { projects, vitestFiles } = await findProjects([root], undefined)
  expect(vitestFiles).toEqual([join(root, 'tests/data.test.js')])
  expect(projects.flatMap(({ project }) => project.transformations.map(({ name }) => name))).toEqual(['a'])
})
