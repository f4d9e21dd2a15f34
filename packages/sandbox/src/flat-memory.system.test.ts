import { describe, expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

const live = new AbortController().signal

describe('100,000 events', () => {
  // Each batch leaves 2 KB behind; if kept, they would take 200 MB.
  const code =
    'const kept = []\nexport const transformEvent = (event) => { kept.push(event, event.text + 1); return { ...event, n: kept.length } }'
  for (const options of [
    { mode: 'worker', workers: 1, isolation: 'event' },
    { mode: 'in-process', isolation: 'batch' },
  ] as const)
    it(`leave memory flat: ${options.mode}, isolation ${options.isolation}`, async () => {
      const sandbox = await createSandbox(options)
      const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
      if (!compiled.ok) throw new Error(compiled.error.message)
      const inputs = Array.from({ length: 500 }, (_, n) => ({ event: { n, text: 'x'.repeat(1_000) }, metadata: {} }))
      const bytesAfter = async (events: number): Promise<number> => {
        for (let done = 0; done < events; done += inputs.length) await compiled.program.run(inputs, live)
        return process.memoryUsage().rss
      }
      const before = await bytesAfter(10_000)
      expect((await bytesAfter(100_000)) - before).toBeLessThan(64 * 1024 * 1024)
      await sandbox.close()
    })
})
