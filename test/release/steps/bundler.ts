import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Message } from 'esbuild'
import { failure, run } from '../command.ts'
import { importing, program } from '../program.ts'
import type { Step } from '../step.ts'

/** Bundles a program with esbuild: packages outside, as the page on embedding says, and all inside, which must resolve. */
export const bundler: Step = {
  name: 'bundler',
  summary: 'esbuild, with packages outside and inside of the bundle',
  async run(bench) {
    const cwd = await bench.copyOfProject('bundler')
    writeFileSync(join(cwd, 'program.mjs'), program(importing))
    const shared = {
      absWorkingDir: cwd,
      entryPoints: ['program.mjs'],
      bundle: true,
      platform: 'node',
      format: 'esm',
    } satisfies BuildOptions
    const problems: string[] = []
    const text = ({ text: message, location }: Message): string =>
      `esbuild: ${message} (${location?.file}:${location?.line})`
    for (const [outfile, packages] of [
      ['outside.mjs', 'external'],
      ['inside.mjs', 'bundle'],
    ] as const) {
      try {
        const { warnings } = await build({ ...shared, outfile, packages, logLevel: 'silent' })
        problems.push(...warnings.map(text))
      } catch (error) {
        problems.push(...((error as { errors?: Message[] }).errors ?? []).map(text))
      }
    }
    const problem = failure('the bundle', await run(process.execPath, ['outside.mjs'], { cwd, timeMs: 60_000 }))
    if (problem !== undefined) problems.push(problem)
    return { problems, notes: [] }
  },
}
