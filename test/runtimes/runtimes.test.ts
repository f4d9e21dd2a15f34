import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const program = join(import.meta.dirname, 'program.mjs')

/** Runs the program. Time-outs in it take half a second. */
function printed(command: string, args: readonly string[], engine: readonly string[] = []): unknown {
  const text = execFileSync(command, [...args, program, ...engine], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
    timeout: 60_000,
  })
  return JSON.parse(text)
}

const inNode = (): unknown => printed(process.execPath, [])

it('gives the same outcomes, logs, texts and lines with what every platform has as with Node', () => {
  // Node fetches no files.
  const sandbox = createRequire(createRequire(import.meta.url).resolve('@sluice/sandbox'))
  const engine = sandbox.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  expect(printed(process.execPath, ['--conditions=browser'], [engine])).toEqual(inNode())
})

const others = [
  { name: 'deno', args: ['run', '--allow-all', '--node-modules-dir=manual'] },
  { name: 'bun', args: [] },
]
for (const { name, args } of others) {
  const isAbsent = spawnSync(name, ['--version']).status !== 0
  if (isAbsent) process.stdout.write(`tests of ${name} skipped: it is not installed; pnpm test:runtimes installs it\n`)

  it.skipIf(isAbsent)(`gives the same outcomes, logs, texts and lines in ${name} as in Node`, () => {
    expect(printed(name, args)).toEqual(inNode())
  })
}
