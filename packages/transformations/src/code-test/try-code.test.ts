import { createSandbox } from '@sluice/sandbox'
import { expect, it } from 'vitest'
import { createTransformationPrograms } from '../run/transformation-programs.ts'
import { tryCode } from './try-code.ts'

it('says of unsaved code what becomes of each event, what it logs, and in which line it fails', async () => {
  const sandbox = await createSandbox({ mode: 'in-process' })
  const programs = createTransformationPrograms({ sandbox })
  const code = `import { half } from 'halves'
export function transformEvent(event, metadata) {
  log(metadata(event).destinationName)
  if (event.n === 1) return null
  if (event.n === 2) throw new Error('odd')
  return { ...event, n: half(event.n) }
}`
  const libraries = [{ name: 'halves', code: 'export const half = (n) => n / 2' }]
  const events = [4, 1, 2].map((n) => ({ type: 'track', n }))
  const metadata = { destinationName: 'Hook' }
  const signal = new AbortController().signal
  const trial = await tryCode(programs, { name: 'Halve', code, libraries, events, metadata }, signal)
  expect(trial.outcomes.map(({ kind }) => kind)).toEqual(['pass', 'drop', 'fail'])
  expect(trial.outcomes[0]).toEqual({ kind: 'pass', items: [{ type: 'track', n: 2 }] })
  expect(trial.log).toEqual(['Hook', 'Hook', 'Hook'])
  expect(trial.problems).toMatchObject([{ index: 2, line: 5, module: 'Halve' }])
  const broken = await tryCode(programs, { name: 'Broken', code: 'export const a =\n}', libraries, events }, signal)
  expect(broken.problems).toMatchObject([{ line: 2, module: 'Broken' }])
  expect(broken.outcomes.map(({ kind }) => kind)).toEqual(['fail', 'fail', 'fail'])
  await sandbox.close()
})
