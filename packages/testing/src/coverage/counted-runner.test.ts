import { expect, it } from 'vitest'
import { createCountedRunner } from './counted-runner.ts'

it('returns the results of code without probes, and does not repeat events that timed out', async () => {
  const code = `export function transformEvent(event) {
  while (event.hang);
  return event
}`
  const runner = await createCountedRunner({ mode: 'in-process', limits: { eventTimeMs: 200 } })
  try {
    const subject = { name: 'hanging', code, files: { main: 'hanging.js' } }
    const { endings } = await runner.run(subject, [{ type: 'track' }, { type: 'track', hang: true }])
    expect(endings.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['passed', undefined],
      ['failed', 'transform.timeout'],
    ])
    const [file] = runner.coverage()
    expect(file?.functions).toEqual([expect.objectContaining({ name: 'transformEvent', hits: 1 })])
  } finally {
    await runner.close()
  }
})
