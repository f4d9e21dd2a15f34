import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { Workbench } from '../workbench.ts'
import { versions } from './versions.ts'

const root = resolve(import.meta.dirname, '../../..')

it('finds one version of all packages, changesets that name released packages only, and a repository', async () => {
  const settings = { isWriting: false, since: 'main', repository: 'git@forge.test:team/sluice.git' }
  const bench = new Workbench(root, settings, () => {})
  const { problems, notes } = await versions.run(bench)
  bench.close()
  expect(problems).toEqual([])
  expect(notes).toContain('packages name the repository git+https://forge.test/team/sluice.git')
})

it('says what to do where no repository is known', async () => {
  const bench = new Workbench(root, { isWriting: false, since: 'main', repository: '/some/folder' }, () => {})
  const { problems } = await versions.run(bench)
  bench.close()
  expect(problems).toEqual([expect.stringContaining('give --repository <url>')])
})
