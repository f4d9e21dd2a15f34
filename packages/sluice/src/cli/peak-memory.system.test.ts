import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('counts the memory of this program, not of the one that started it', () => {
  const held = Buffer.alloc(400_000_000, 1)
  const module = new URL('../../dist/cli/peak-memory.js', import.meta.url).href
  const script = `import { peakMemory } from ${JSON.stringify(module)}; process.stdout.write(String(peakMemory()))`
  const bytes = Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
  expect(bytes).toBeGreaterThan(20_000_000)
  expect(bytes).toBeLessThan(held.length / 2)
})
