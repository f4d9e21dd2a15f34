import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, run } from '../command.ts'
import { importing, program } from '../program.ts'
import type { Step } from '../step.ts'

/** Number of the user without rights that most systems have. */
const unprivileged = 65_534

/**
 * Runs as in a minimal image: nothing but node on the PATH, no compiler, no home, no file that can be written, a user
 * without rights.
 */
export const minimal: Step = {
  name: 'minimal',
  summary: 'an environment with nothing but node, and files that cannot be written',
  async run(bench) {
    if (process.getuid?.() !== 0)
      return { problems: [], notes: ['not run: only root can start a program as another user'] }
    const cwd = await bench.copyOfProject('minimal')
    const bin = join(cwd, 'only-node')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    writeFileSync(join(cwd, 'program.mjs'), program(importing))
    writeFileSync(join(cwd, 'events.ndjson'), '{"type":"track","userId":"u","event":"E"}\n')
    // Of the temporary folder above, only root may look into what others made.
    chmodSync(bench.folder, 0o755)
    const env = { PATH: bin, HOME: '/nonexistent', TMPDIR: '/nonexistent' }
    const problems: string[] = []
    for (const args of [
      ['program.mjs'],
      ['node_modules/sluice/bin/sluice.js', 'run', '--events', 'events.ndjson', '--destination', 'console'],
    ]) {
      const ended = await run(process.execPath, args, { cwd, env, uid: unprivileged, timeMs: 60_000 })
      const problem = failure(`node ${args.slice(0, 2).join(' ')}`, ended)
      if (problem !== undefined) problems.push(problem)
    }
    return { problems, notes: [] }
  },
}
