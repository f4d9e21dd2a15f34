import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { Workbench } from '../workbench.ts'
import { versions } from './versions.ts'

it('finds one version of all packages, and changesets that name released packages only', async () => {
  const bench = new Workbench(resolve(import.meta.dirname, '../../..'), { isWriting: false, since: 'main' }, () => {})
  const { problems } = await versions.run(bench)
  bench.close()
  // Only the owner of the project can say where its repository will be.
  expect(problems.filter((problem) => !problem.includes('repository is missing'))).toEqual([])
})
