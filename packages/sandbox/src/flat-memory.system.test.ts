import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

describe('100,000 events', () => {
  for (const options of [
    { mode: 'worker', workers: 1, isolation: 'event' },
    { mode: 'in-process', isolation: 'batch' },
  ] as const)
    it(`leave memory flat: ${options.mode}, isolation ${options.isolation}`, () => {
      expect(bytesGrown(options)).toBeLessThan(64 * 1024 * 1024)
    })
})

/**
 * Returns by how many bytes a process grows while it transforms 100,000 events, after a first 20,000. It is a process of
 * its own, of the build, which keeps little garbage and collects it before it looks: this one has what other tests left.
 */
function bytesGrown(options: object): number {
  const built = join(import.meta.dirname, '../dist/index.js')
  // Each batch leaves 2 KB behind; if kept, they would take 200 MB.
  const code =
    'const kept = []\nexport const transformEvent = (event) => { kept.push(event, event.text + 1); return { ...event, n: kept.length } }'
  const program = `
    import { createSandbox } from ${JSON.stringify(pathToFileURL(built).href)}
    const sandbox = await createSandbox(${JSON.stringify(options)})
    const compiled = await sandbox.compile({ name: 't', code: ${JSON.stringify(code)}, libraries: [] })
    const inputs = Array.from({ length: 500 }, (_, n) => ({ event: { n, text: 'x'.repeat(1_000) }, metadata: {} }))
    const bytesAfter = async (events) => {
      for (let done = 0; done < events; done += inputs.length)
        await compiled.program.run(inputs, new AbortController().signal)
      gc()
      return process.memoryUsage().rss
    }
    const before = await bytesAfter(20_000)
    process.stdout.write(String((await bytesAfter(100_000)) - before))
    await sandbox.close()`
  const args = ['--expose-gc', '--max-semi-space-size=1', '--input-type=module', '-e', program]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 }))
}
